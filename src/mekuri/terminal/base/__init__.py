"""Matches in this process and on servers, and the texts, names and drawn cards that screens and printed texts share."""
