"""What the frameworks do under capture: data, generated where it can be."""
