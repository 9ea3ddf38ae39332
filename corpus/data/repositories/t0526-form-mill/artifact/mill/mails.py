"""Mails through the local relay."""

import smtplib
from email.message import EmailMessage

SENDER = "mill@forms.example"


def digest(to: str, count: int) -> None:
    """The weekly count."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = SENDER, to, f"{count} new answers"
    mail.set_content(f"{count} answers came in this week.")
    with smtplib.SMTP("localhost") as relay:
        relay.send_message(mail)


def notify(to: str, answer: dict) -> None:
    """One answer, as it was written."""
    head = f"From: {SENDER}\r\nTo: {to}\r\nSubject: {answer['subject']}\r\n"
    text = head + "Content-Type: text/plain; charset=utf-8\r\n\r\n" + answer["text"]
    with smtplib.SMTP("localhost") as relay:
        relay.sendmail(SENDER, [to], text.encode("utf-8"))
