"""Routes."""

from fastapi import FastAPI, Form, Header, HTTPException, UploadFile
from fastapi.responses import FileResponse, HTMLResponse

from . import exports, forms, mails, pages, tokens

app = FastAPI(docs_url=None, redoc_url=None)


def owner(authorization: str) -> str:
    try:
        claims = tokens.read(authorization.removeprefix("Bearer "))
    except tokens.TokenError as error:
        raise HTTPException(401, str(error)) from None
    return str(claims["sub"])


def own_form(name: str, authorization: str) -> forms.Form:
    form = forms.load(name)
    if form is None or form.owner != owner(authorization):
        raise HTTPException(404)
    return form


@app.get("/f/{name}", response_class=HTMLResponse)
def show(name: str):
    form = forms.load(name)
    if form is None:
        raise HTTPException(404)
    return pages.form(form)


@app.post("/f/{name}", response_class=HTMLResponse)
def submit(name: str, subject: str = Form("", max_length=200), text: str = Form("", max_length=5000)):
    form = forms.load(name)
    if form is None:
        raise HTTPException(404)
    answer = {"subject": subject, "text": text}
    forms.keep(form, answer)
    mails.notify(form.mail, answer)
    return pages.thanks(form, answer)


@app.get("/f/{name}/answers")
def answers(name: str, authorization: str = Header("")):
    form = own_form(name, authorization)
    return FileResponse(exports.write(form), media_type="text/csv")


@app.post("/restore", status_code=204)
def restore(archive: UploadFile, authorization: str = Header("")):
    forms.restore(owner(authorization), archive.file)
