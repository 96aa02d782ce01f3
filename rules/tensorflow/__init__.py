"""Rules about TensorFlow: one fault a module, found while ``tf.function``, Keras or ``tf.data`` traces."""
