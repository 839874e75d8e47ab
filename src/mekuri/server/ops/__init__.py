"""The commands of an operator: administration and backup."""
