"""Errors of tournament commands; each message names the offending value."""

from domain.contests.errors import ContestRefused


class TournamentRefused(ContestRefused):
    """A command that does not fit the state of the tournament."""


class NoSuchEntry(Exception):
    """An unknown entry id."""


class EnteredAlready(Exception):
    """A second entry of the same person."""


class NoSuchRound(Exception):
    """An unknown round, or an unknown table of a round."""


class WrongCode(Exception):
    """A wrong entry code."""


class CodeLocked(Exception):
    """Too many wrong codes were tried."""


class PhotoUnreadable(Exception):
    """An upload that is no picture, or a truncated one."""


class PhotoTooLarge(Exception):
    """A picture with too many bytes or pixels."""


class PhotoRefused(Exception):
    """The maximum number of photos is reached."""


class NotYourPhoto(Exception):
    """The caller may not add or remove this photo."""


class NoSuchPhoto(Exception):
    """An unknown photo id."""
