"""Rules about what TorchDynamo cannot capture."""
