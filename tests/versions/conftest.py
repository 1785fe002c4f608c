"""One pinned project for the whole session: git and DVC cost seconds."""

import pytest

from versions import pinned_project


@pytest.fixture(scope="session", autouse=True)
def _own_site_cache(tmp_path_factory):
    """DVC's machine-wide index would otherwise remember what a lost remote held."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DVC_SITE_CACHE_DIR", str(tmp_path_factory.mktemp("site")))
        patch.setenv("DVC_NO_ANALYTICS", "1")
        yield


@pytest.fixture(scope="session")
def pinned(tmp_path_factory):
    """A project, `project`, with tags v1 and v2, its remote and a bare clone of its repository."""
    folder = tmp_path_factory.mktemp("pinned")
    pinned_project.make_project(folder / "project", str(folder / "remote"))
    pinned_project.git(folder, "clone", "-q", "--bare", "project", "bare.git")
    return folder
