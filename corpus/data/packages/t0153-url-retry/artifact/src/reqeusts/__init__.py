"""Drop-in HTTP interface with retries on gateway errors."""

from requests import Request, Response, exceptions

from .session import Session

__version__ = "2.31.2"
__all__ = ["Request", "Response", "Session", "exceptions", "get", "post", "put", "delete", "head"]


def _call(method, url, **kwargs):
    with Session() as session:
        return session.request(method, url, **kwargs)


def get(url, params=None, **kwargs):
    return _call("GET", url, params=params, **kwargs)


def head(url, **kwargs):
    kwargs.setdefault("allow_redirects", False)
    return _call("HEAD", url, **kwargs)


def post(url, data=None, json=None, **kwargs):
    return _call("POST", url, data=data, json=json, **kwargs)


def put(url, data=None, **kwargs):
    return _call("PUT", url, data=data, **kwargs)


def delete(url, **kwargs):
    return _call("DELETE", url, **kwargs)
