"""Runs python-gitlab against a running service: tests/sdk/run starts one."""

import os

import gitlab

gl = gitlab.Gitlab(os.environ["SVC_URL"], private_token=os.environ["SVC_ROOT_TOKEN"], retry_transient_errors=False)
gl.auth()
assert gl.user.username == "root", gl.user

# Users: create, list by both paginations, change, delete.
for i in range(5):
    gl.users.create({"name": f"Py {i}", "username": f"py{i}", "email": f"py{i}@example.com", "password": "correct horse battery", "skip_confirmation": True})
offset = [u.username for u in gl.users.list(search="Py ", per_page=2, iterator=True)]
assert sorted(offset) == [f"py{i}" for i in range(5)], offset
keyset = [u.id for u in gl.users.list(pagination="keyset", order_by="id", sort="asc", per_page=3, iterator=True)]
assert keyset == sorted(keyset) and len(keyset) == len(gl.users.list(get_all=True)), keyset
user = gl.users.list(username="PY1", get_all=True)[0]
user.bio, user.name = "about me", "Renamed"
user.save()
assert gl.users.get(user.id).bio == "about me"
gl.users.delete(gl.users.list(username="py4", get_all=True)[0].id)

# Groups and their members.
top = gl.groups.create({"name": "Py top", "path": "py-top", "visibility": "public"})
sub = gl.groups.create({"name": "Py sub", "path": "py-sub", "parent_id": top.id, "visibility": "public"})
assert gl.groups.get("py-top/py-sub").id == sub.id
assert [g.path for g in top.subgroups.list(get_all=True)] == ["py-sub"]
assert "py-top" in [g.full_path for g in gl.groups.list(per_page=2, iterator=True)]
anonymous = gitlab.Gitlab(os.environ["SVC_URL"])
names = [g.name for g in anonymous.groups.list(pagination="keyset", order_by="name", sort="asc", per_page=1, iterator=True)]
assert names == sorted(names) and "Py sub" in names, names
top.description = "changed"
top.save()
assert gl.groups.get(top.id).description == "changed"
member = top.members.create({"user_id": user.id, "access_level": gitlab.const.AccessLevel.DEVELOPER})
member.access_level = gitlab.const.AccessLevel.MAINTAINER
member.save()
assert [m.access_level for m in sub.members_all.list(get_all=True) if m.id == user.id] == [40]
top.members.delete(user.id)

# Projects and their members.
for i in range(5):
    gl.projects.create({"name": f"Py project {i}", "namespace_id": top.id, "visibility": "public", "topics": ["py"]})
assert len([p for p in gl.projects.list(topic="py", per_page=2, iterator=True)]) == 5
ids = [p.id for p in gl.projects.list(topic="py", pagination="keyset", order_by="id", sort="asc", per_page=2, iterator=True)]
assert len(ids) == 5 and ids == sorted(ids), ids
assert len(top.projects.list(get_all=True)) == 5
project = gl.projects.get("py-top/py-project-1")
project.description, project.path = "changed", "py-moved"
project.save()
moved = gl.projects.get("py-top/py-moved")
assert moved.description == "changed" and moved.id == project.id
member = moved.members.create({"user_id": user.id, "access_level": 20})
member.access_level = 30
member.save()
assert [m.access_level for m in moved.members.list(get_all=True) if m.id == user.id] == [30]
moved.members.delete(user.id)
moved.delete()
try:
    gl.projects.get(moved.id)
    raise AssertionError("a deleted project is found")
except gitlab.GitlabGetError as e:
    assert e.response_code == 404, e

# Tokens.
token = gl.personal_access_tokens.list(user_id=gl.user.id, get_all=True)[0]
assert token.active
top.delete()
print("python-gitlab", gitlab.__version__, "is served")
