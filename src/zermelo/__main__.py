"""``python -m zermelo`` is the command line."""

from zermelo.faces.cli.main import main

if __name__ == "__main__":
    main()
