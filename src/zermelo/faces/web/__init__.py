"""The browser: pages that this program serves to the machine it runs on."""
