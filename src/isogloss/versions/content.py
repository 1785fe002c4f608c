"""The hash by which DVC would know a folder as it lies on disk."""

from pathlib import Path


def folder_hash(folder: Path) -> str | None:
    """DVC's md5 of a folder's content, such as ``35428287….dir``; cache and network are not needed.

    DVC knows a folder by the hash of the list of its files, each with its own hash, so equal hashes
    mean equal files under equal names.

    Args:
        folder: The folder; None is returned where there is none.
    """
    if not folder.is_dir():
        return None
    from dvc_data.hashfile.hash import file_md5
    from dvc_data.hashfile.hash_info import HashInfo
    from dvc_data.hashfile.tree import Tree

    tree = Tree()  # type: ignore[no-untyped-call]
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            md5 = HashInfo("md5", file_md5(str(path)))
            tree.add(path.relative_to(folder).parts, None, md5)
    tree.digest()
    return str(tree.hash_info.value)
