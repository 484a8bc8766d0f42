"""Tests of what needs server, clients and lab in one process."""
