"""Folders and files for their owner's eyes alone: what is kept between runs holds users' texts.

A link to a folder is followed where it is the user's own; a link in the place of a file never is. What
belongs to somebody else is refused: they could read it, or put something else in its place.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Collection
from pathlib import Path

_OTHERS = 0o077
_OTHERS_WRITE = 0o022
_INSTEAD = "name a folder of your own with REDRAFT_CACHE_DIR"


def make_private(folder: Path) -> None:
    """Make a folder, and all that lead to it, where they are missing; what is there stays as it is."""
    for missing in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        with contextlib.suppress(FileExistsError):  # another process may have been faster
            missing.mkdir(mode=0o700)


def private_folder(folder: Path, ours: Collection[str]) -> None:
    """Make a folder private, and all that is in it; OSError where it cannot be.

    One that was there before, and that others may look into, is only closed to them if it holds nothing but
    what is `ours`, by the beginnings of names: a user may have named a folder that is for other things too.
    """
    make_private(folder)
    if not hasattr(os, "geteuid"):  # Windows has no such modes, and keeps a user's folders to the user
        return
    for found in (folder.lstat(), folder.stat()):
        _check_owner(folder, found)
    mode = folder.stat().st_mode
    if not mode & _OTHERS:
        return
    if all(name.startswith(tuple(ours)) for name in os.listdir(folder)):
        _close(folder)
    elif mode & _OTHERS_WRITE:
        raise _refused(folder, f"others may write to it; {_INSTEAD}")


def private_file(path: Path) -> None:
    """Make a file that only its owner may read, or make sure that one is; OSError where it is another's.

    One that is there is not opened: whoever closes a file again gives up all locks of its process on it.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            raise _refused(path, "it is a link; delete it, or link its folder instead") from None
        _check_owner(path, found)
        if hasattr(os, "geteuid") and found.st_mode & _OTHERS:
            path.chmod(0o600)


def is_private(folder: Path) -> bool:
    """Whether a folder is there, and nobody but its owner may look into it."""
    return folder.is_dir() and not folder.stat().st_mode & _OTHERS


def _check_owner(path: Path, found: os.stat_result) -> None:
    # Root may use what others own: a folder that was lent to a container, say.
    if hasattr(os, "geteuid") and os.geteuid() not in (found.st_uid, 0):
        raise _refused(path, f"it belongs to another user; {_INSTEAD}")


def _close(folder: Path) -> None:
    """Take from others what they may do with a folder and all in it; links stay as they are."""
    folder.chmod(0o700)
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place, name)
            if not path.is_symlink():
                with contextlib.suppress(OSError):  # it may be gone by now, or another's
                    path.chmod(stat.S_IMODE(path.lstat().st_mode) & 0o700)


def _refused(path: Path, why: str) -> OSError:
    return OSError(errno.EPERM, why, str(path))
