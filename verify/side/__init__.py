"""What runs in the child processes: one side of a verification each, and the judge. Only these modules import torch."""
