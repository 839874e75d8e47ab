"""Who asks: guests without an account, their devices, and the export of what is stored about them."""
