"""PNML, the exchange format for Petri nets (ISO/IEC 15909-2): from XML to a net."""
