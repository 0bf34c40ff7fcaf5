"""The peer: FastAPI and SQLAlchemy on Berth's own tables, doing what Berth does for a board, a reservation, a move and a
swap: session and rights on every call, a touch of the site, the rules, the partial unique indexes, an audit row, an
idempotency key, a commit that is flushed. SQLAlchemy's core without the ORM, which only makes it quicker."""
import hashlib
import json
import os
import secrets
import threading
import time
import uuid
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from sqlalchemy import create_engine, event, text

engine = create_engine(f"sqlite:///{os.environ['DATABASE']}", pool_size=8, max_overflow=32)
IDLE = 15 * 60_000


@event.listens_for(engine, "connect")
def prepare(connection, _):
    connection.isolation_level = None  # BEGIN is ours
    for pragma in ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "busy_timeout = 5000"]:
        connection.execute(f"PRAGMA {pragma}")


@event.listens_for(engine, "begin")
def begin(connection):
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")


writer = engine.execution_options(writes=True)
app = FastAPI(openapi_url=None)


class Refusal(Exception):
    def __init__(self, status, message, more=None):
        self.status, self.message, self.more = status, message, more or {}


@app.exception_handler(Refusal)
def refuse(_, refusal):
    body = {"status": refusal.status, "message": refusal.message, **refusal.more}
    return JSONResponse(body, refusal.status, media_type="application/problem+json")


def now():
    return time.time_ns() // 1_000_000


def new_id():
    value = (now() << 80) | secrets.randbits(80)
    value = value & ~(0xF << 76) | (7 << 76)
    return (value & ~(0b11 << 62) | (0b10 << 62)).to_bytes(16, "big")


def shown(value):
    return None if value is None else str(uuid.UUID(bytes=value))


def moment(millis):
    return None if millis is None else datetime.fromtimestamp(millis / 1000, timezone.utc).isoformat().replace("+00:00", "Z")


SECRET = text("""SELECT s.kind, s.user_id, u.email, s.expires_at, s.used_at, s.session_id, x.last_seen_at,
  x.expires_at AS session_expires_at, x.ended_at, m.status, m.role, m.organization_id, m.site_id
  FROM secrets s JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL
  LEFT JOIN sessions x ON x.id = s.session_id
  LEFT JOIN memberships m ON m.user_id = s.user_id AND m.deleted_at IS NULL AND m.status <> 'Disabled'
  WHERE s.hash = :hash""")
SITE = text("""SELECT s.id, s.organization_id, s.name, s.time_zone, s.version, o.is_commercial FROM sites s
  JOIN organizations o ON o.id = s.organization_id AND o.deleted_at IS NULL WHERE s.id = :id AND s.deleted_at IS NULL""")


class Caller:
    """Who calls: the secret by its SHA-256, its session, user and memberships."""

    def __init__(self, connection, request):
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Refusal(401, "Please sign in.")
        rows = connection.execute(SECRET, {"hash": hashlib.sha256(token.encode()).hexdigest()}).all()
        first, at = rows[0] if rows else None, now()
        if (first is None or first.kind != "access" or first.expires_at <= at or first.used_at is not None
                or first.ended_at is not None or first.session_expires_at <= at or first.last_seen_at + IDLE <= at):
            raise Refusal(401, "Please sign in.")
        self.memberships = [row for row in rows if row.status == "Active"]
        if not self.memberships:
            raise Refusal(401, "Please sign in.")
        self.user_id, self.email, self.session_id = first.user_id, first.email, first.session_id
        self.address, self.request_id = request.client.host, secrets.token_hex(8)

    def site(self, connection, site_id, roles):
        site = connection.execute(SITE, {"id": site_id}).one_or_none()
        if site is None:
            raise Refusal(404, "Not found.")
        held = [m.role for m in self.memberships
                if m.role == "GlobalAdmin" or m.organization_id == site.organization_id or m.site_id == site.id]
        if not held:
            raise Refusal(404, "Not found.")
        role = next((role for role in held if role in roles), None)
        if role is None:
            raise Refusal(403, "Your role does not allow this.")
        return site, role


AUDIT = text("""INSERT INTO audit (id, at, action, actor_id, actor_email, actor_role, organization_id, site_id, object_type,
  object_id, summary, address, request_id) VALUES (:id, :at, :action, :actor_id, :actor_email, :actor_role,
  :organization_id, :site_id, :object_type, :object_id, :summary, :address, :request_id)""")


def row(who, place, action, kind, thing, summary):
    site, role = place
    return {"id": new_id(), "at": now(), "action": action, "actor_id": who.user_id, "actor_email": who.email, "actor_role": role,
            "organization_id": site.organization_id, "site_id": site.id, "object_type": kind, "object_id": thing,
            "summary": summary, "address": who.address, "request_id": who.request_id}


# Reads of boards ride together: once for each session, site and version, written every half second.
seen, waiting, lock = {}, [], threading.Lock()


def note_read(who, place, version):
    key = (who.session_id, place[0].id)
    with lock:
        if seen.get(key) == version:
            return
        if len(seen) > 20_000:
            seen.clear()
        seen[key] = version
        waiting.append(row(who, place, "board.viewed", "site", place[0].id, f"version {version}"))


def write_reads():
    while True:
        time.sleep(0.5)
        with lock:
            rows, waiting[:] = list(waiting), []
        if rows:
            with writer.begin() as connection:
                connection.execute(AUDIT, rows)


threading.Thread(target=write_reads, daemon=True).start()


def days_stayed(start, end, zone):
    zone = ZoneInfo(zone)
    day = lambda millis: datetime.fromtimestamp(millis / 1000, zone).date()
    return max(1, (day(end) - day(start)).days)


ROOMS = text("SELECT id, name, image_path FROM rooms WHERE site_id = :id AND deleted_at IS NULL ORDER BY position, id")
BEDS = text("""SELECT b.id, b.room_id, b.name, b.description, b.kind, b.position, b.image_path, b.disabled, b.created_at,
  b.version, g.id AS guest_id, g.code, g.first_name, g.last_name, g.gender, g.accepted_at, g.reassigned_at, g.version AS guest_version
  FROM beds b LEFT JOIN stays t ON t.bed_id = b.id AND t.ended_at IS NULL LEFT JOIN guests g ON g.id = t.guest_id
  WHERE b.site_id = :id AND b.deleted_at IS NULL ORDER BY b.position, b.id""")
EVERYONE = {"GlobalAdmin", "Owner", "Admin", "Intake", "Staff"}
PLACERS = EVERYONE - {"Staff"}


@app.get("/healthz")
def healthz():
    return "ok"


@app.get("/api/Beds")
def beds(request: Request, siteId: uuid.UUID):
    with engine.begin() as connection:
        who = Caller(connection, request)
        place = who.site(connection, siteId.bytes, EVERYONE)
        site, at = place[0], now()
        rooms = {room.id: {"id": shown(room.id), "name": room.name, "imagePath": room.image_path}
                 for room in connection.execute(ROOMS, {"id": site.id})}
        by_room = {room: [] for room in rooms}
        for bed in connection.execute(BEDS, {"id": site.id}):
            guest = None
            if bed.guest_id is not None:
                guest = {
                    "id": shown(bed.guest_id), "displayName": f"{bed.first_name} {bed.last_name.upper()}. {bed.code}", "code": bed.code,
                    "firstName": bed.first_name, "lastName": bed.last_name, "gender": bed.gender, "acceptedAt": moment(bed.accepted_at),
                    "reassignedAt": moment(bed.reassigned_at),
                    "daysStayed": 1 if bed.accepted_at is None else days_stayed(bed.accepted_at, at, site.time_zone),
                    "version": bed.guest_version,
                }
            by_room[bed.room_id].append({
                "id": shown(bed.id), "name": bed.name, "description": bed.description, "type": bed.kind, "index": bed.position,
                "imagePath": bed.image_path, "disabled": bool(bed.disabled), "isOccupied": guest is not None, "guest": guest,
                "createdAt": moment(bed.created_at), "version": bed.version, "room": rooms[bed.room_id],
            })
    note_read(who, place, site.version)
    body = json.dumps([bed for beds in by_room.values() for bed in beds], separators=(",", ":"))
    return Response(body, media_type="application/json", headers={"etag": f'"{site.version}"'})


CLAIM = text("INSERT INTO idempotency_keys (owner, key, fingerprint, created_at) VALUES (:owner, :key, :fingerprint, :at) ON CONFLICT (owner, key) DO NOTHING")
STORED = text("SELECT fingerprint, status, body FROM idempotency_keys WHERE owner = :owner AND key = :key")
ANSWER = text("UPDATE idempotency_keys SET status = :status, body = :body WHERE owner = :owner AND key = :key")
TOUCH = text("UPDATE sites SET version = version + 1 WHERE id = :id AND deleted_at IS NULL RETURNING version")


def run(request, who, place, asked, work):
    """One command: key, touch, work, stored answer, one flushed commit."""
    key, owner = request.headers.get("idempotency-key"), shown(who.user_id)
    with writer.begin() as connection:
        if key:
            fingerprint = hashlib.sha256(json.dumps(asked).encode()).hexdigest()
            claimed = connection.execute(CLAIM, {"owner": owner, "key": key, "fingerprint": fingerprint, "at": now()})
            if claimed.rowcount == 0:
                stored = connection.execute(STORED, {"owner": owner, "key": key}).one()
                if stored.fingerprint != fingerprint:
                    raise Refusal(422, "This Idempotency-Key was used for another request.")
                return Response(stored.body, stored.status, media_type="application/json")
        connection.execute(TOUCH, {"id": place[0].id}).one()
        status, answer = work(connection)
        body = json.dumps(answer, separators=(",", ":"))
        if key:
            connection.execute(ANSWER, {"status": status, "body": body, "owner": owner, "key": key})
    return Response(body, status, media_type="application/json")


GUEST = text("""SELECT g.*, b.id AS bed_id, b.name AS bed_name, b.kind AS bed_kind, b.position AS bed_position,
  b.image_path AS bed_image_path, r.id AS room_id, r.name AS room_name, r.image_path AS room_image_path, i.name AS insurer
  FROM guests g LEFT JOIN insurance_companies i ON i.id = g.insurance_company_id
  LEFT JOIN stays s ON s.guest_id = g.id AND s.ended_at IS NULL
  LEFT JOIN beds b ON b.id = s.bed_id LEFT JOIN rooms r ON r.id = b.room_id WHERE g.id = :id AND g.site_id = :site""")
ITS_SERVICES = text("SELECT service_id FROM guest_services WHERE guest_id = :id")


def guest_view(connection, site, guest_id):
    g = connection.execute(GUEST, {"id": guest_id, "site": site.id}).one_or_none()
    if g is None:
        raise Refusal(404, "Not found.")
    status = ("Rejected" if g.rejected_at else "Discharged" if g.discharged_at else "Expired" if g.expired_at
              else "Reassigned" if g.reassigned_at else "Accepted" if g.accepted_at else "Pending")
    return {
        "id": shown(g.id), "code": g.code, "firstName": g.first_name, "lastName": g.last_name,
        "displayName": f"{g.first_name} {g.last_name.upper()}. {g.code}", "gender": g.gender, "age": g.age_service_id,
        "typeOfClient": g.client_service_id, "phone": g.phone, "email": g.email, "location": g.location,
        "services": list(connection.execute(ITS_SERVICES, {"id": guest_id}).scalars()), "siteId": shown(g.site_id), "siteName": site.name,
        "status": status, "createdAt": moment(g.created_at), "acceptedAt": moment(g.accepted_at), "rejectedAt": moment(g.rejected_at),
        "reassignedAt": moment(g.reassigned_at), "dischargedAt": moment(g.discharged_at), "expiresAt": moment(g.expires_at),
        "expiredAt": moment(g.expired_at), "source": g.source, "assignedBedId": shown(g.bed_id),
        "room": None if g.room_id is None else {"id": shown(g.room_id), "name": g.room_name, "imagePath": g.room_image_path},
        "bed": None if g.bed_id is None else {"id": shown(g.bed_id), "name": g.bed_name, "type": g.bed_kind, "index": g.bed_position, "imagePath": g.bed_image_path},
        "feedback": g.feedback, "organizationReservationPaymentMethod": g.payment_method, "insuranceCompanyName": g.insurer,
        "daysStayed": 0 if g.accepted_at is None else days_stayed(g.accepted_at, g.discharged_at or now(), site.time_zone), "version": g.version,
    }


CAPACITY = text("""SELECT (SELECT COUNT(*) FROM beds b WHERE b.site_id = :id AND b.deleted_at IS NULL AND NOT b.disabled
  AND NOT EXISTS (SELECT 1 FROM stays t WHERE t.bed_id = b.id AND t.ended_at IS NULL)) AS vacant,
  (SELECT COUNT(*) FROM guests g WHERE g.site_id = :id AND g.rejected_at IS NULL AND g.expired_at IS NULL AND g.discharged_at IS NULL
  AND g.accepted_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > :now)) AS pending""")
LOCK = text("INSERT INTO person_locks (person) VALUES (:person) ON CONFLICT (person) DO UPDATE SET version = person_locks.version + 1")
ACTIVE = text("""SELECT COUNT(*) FROM guests WHERE (phone = :phone OR email_key = :email) AND rejected_at IS NULL AND expired_at IS NULL
  AND discharged_at IS NULL AND (accepted_at IS NOT NULL OR expires_at IS NULL OR expires_at > :now)""")
INSERT = text("""INSERT INTO guests (id, site_id, code, first_name, first_name_key, last_name, gender, age_service_id, client_service_id,
  phone, email, email_key, location, source, payment_method, created_at, created_by) VALUES (:id, :site, :code, :first, :first_key, :last,
  :gender, :age, :client, :phone, :email, :email_key, :location, 'Admin', :payment, :now, :by) ON CONFLICT (code) DO NOTHING""")
SERVICE = text("INSERT INTO guest_services (guest_id, service_id) VALUES (:guest, :service)")
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


class Form(BaseModel):
    siteId: uuid.UUID
    gender: int = Field(ge=0, le=2)
    ageServiceId: str = Field(pattern="^age-(under-18|18-26|over-27)$")
    firstName: str = Field(min_length=1, max_length=50)
    lastName: str = Field(min_length=1, max_length=1)
    phone: str = Field(pattern=r"^\(\d{3}\) \d{3}-\d{4}$")
    email: str = Field(pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$", max_length=254)
    location: str | None = Field(default=None, max_length=200)
    serviceIds: list[str] = Field(min_length=1)
    typeOfClientServiceId: str
    paymentMethod: int = Field(ge=1, le=3)


@app.post("/api/Guests")
def create(request: Request, form: Form):
    with engine.begin() as connection:
        who = Caller(connection, request)
        place = who.site(connection, form.siteId.bytes, PLACERS)
    site = place[0]

    def work(connection):
        at = now()
        capacity = connection.execute(CAPACITY, {"id": site.id, "now": at}).one()
        if capacity.pending >= capacity.vacant:
            raise Refusal(409, "You cannot add a new guest because there are no vacant beds.")
        phone, email = "+1" + "".join(letter for letter in form.phone if letter.isdigit()), form.email.lower()
        persons = sorted(hashlib.sha256(person.encode()).hexdigest() for person in [f"phone:{phone}", f"email:{email}"])
        for person in persons:
            connection.execute(LOCK, {"person": person})
        if connection.execute(ACTIVE, {"phone": phone, "email": email, "now": at}).scalar_one() >= 2:
            raise Refusal(409, "This person has two active reservations.")
        guest_id = new_id()
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(6))
            values = {"id": guest_id, "site": site.id, "code": code, "first": form.firstName, "first_key": form.firstName.lower(),
                      "last": form.lastName, "gender": ["Male", "Female", "Other"][form.gender], "age": form.ageServiceId,
                      "client": form.typeOfClientServiceId, "phone": phone, "email": form.email, "email_key": email,
                      "location": form.location, "payment": form.paymentMethod, "now": at, "by": who.user_id}
            if connection.execute(INSERT, values).rowcount == 1:
                break
        connection.execute(SERVICE, [{"guest": guest_id, "service": service} for service in form.serviceIds])
        connection.execute(AUDIT, row(who, place, "guest.created", "guest", guest_id, f"{code} (Admin)"))
        return 201, guest_view(connection, site, guest_id)

    return run(request, who, place, ["POST guest", form.model_dump(mode="json")], work)


PLACE = text("SELECT site_id FROM guests WHERE id = :id")
FACTS = text("SELECT * FROM guests WHERE id = :id")
BOARD_BEDS = text("SELECT b.id, b.disabled FROM beds b WHERE b.site_id = :id AND b.deleted_at IS NULL")
HOLDERS = text("SELECT s.bed_id, s.guest_id FROM stays s WHERE s.site_id = :id AND s.ended_at IS NULL")
END = text("""UPDATE stays SET ended_at = :at, ended_by = :by, end_reason = :reason
  WHERE guest_id = :guest AND bed_id = :bed AND ended_at IS NULL""")
OPEN = text("INSERT INTO stays (id, site_id, guest_id, bed_id, started_at, started_by) VALUES (:id, :site, :guest, :bed, :at, :by)")
MOVED = text("""UPDATE guests SET reassigned_at = :at, version = version + 1
  WHERE id = :id AND accepted_at IS NOT NULL AND discharged_at IS NULL""")
DECLINED = text("""UPDATE guests SET rejected_at = :at, version = version + 1
  WHERE id = :id AND accepted_at IS NULL AND rejected_at IS NULL AND expired_at IS NULL""")


class Update(BaseModel):
    status: str
    bedId: uuid.UUID | None = None
    version: int | None = None


def one(done):
    if done.rowcount != 1:
        raise Refusal(409, "The board has changed.")


@app.patch("/api/Guests/{guestId}")
def update(request: Request, guestId: uuid.UUID, asked: Update):
    guest_id = guestId.bytes
    with engine.begin() as connection:
        who = Caller(connection, request)
        site_id = connection.execute(PLACE, {"id": guest_id}).scalar_one_or_none()
        if site_id is None:
            raise Refusal(404, "Not found.")
        place = who.site(connection, site_id, PLACERS)
    site = place[0]

    def work(connection):
        at = now()
        guest = connection.execute(FACTS, {"id": guest_id}).one()
        if asked.version is not None and asked.version != guest.version:
            raise Refusal(412, "Someone else changed it first.")
        refused = lambda message: Refusal(409, message, {"guest": guest_view(connection, site, guest_id)})
        status = asked.status.upper()
        if status == "REJECTED":
            one(connection.execute(DECLINED, {"id": guest_id, "at": at}))
            connection.execute(AUDIT, row(who, place, "guest.rejected", "guest", guest_id, guest.code))
            return 200, guest_view(connection, site, guest_id)
        beds = {bed.id: bed for bed in connection.execute(BOARD_BEDS, {"id": site.id})}
        holders = connection.execute(HOLDERS, {"id": site.id}).all()
        wanted = asked.bedId.bytes if asked.bedId else b""
        mine = next((stay for stay in holders if stay.guest_id == guest_id), None)
        theirs = next((stay for stay in holders if stay.bed_id == wanted), None)
        if wanted not in beds:
            raise refused("This bed is not of this site.")
        if mine is None:
            raise refused("This guest has no bed.")
        if beds[wanted].disabled:
            raise refused("This bed is disabled.")
        end = lambda guest, bed, reason: one(connection.execute(END, {"at": at, "by": who.user_id, "reason": reason, "guest": guest, "bed": bed}))
        open_ = lambda guest, bed: connection.execute(OPEN, {"id": new_id(), "site": site.id, "guest": guest, "bed": bed, "at": at, "by": who.user_id})
        if status == "REASSIGNED":
            if theirs is not None:
                raise refused("This bed is taken.")
            end(guest_id, mine.bed_id, "reassigned")
            open_(guest_id, wanted)
            one(connection.execute(MOVED, {"id": guest_id, "at": at}))
            summary = f"{guest.code} from bed {shown(mine.bed_id)} to bed {shown(wanted)}"
            connection.execute(AUDIT, row(who, place, "guest.reassigned", "guest", guest_id, summary))
        elif status == "SWAP":
            if theirs is None or theirs.guest_id == guest_id:
                raise refused("Nobody holds this bed.")
            other = connection.execute(FACTS, {"id": theirs.guest_id}).one()
            end(guest_id, mine.bed_id, "swapped")
            end(other.id, wanted, "swapped")
            open_(guest_id, wanted)
            open_(other.id, mine.bed_id)
            for moved in [guest, other]:
                one(connection.execute(MOVED, {"id": moved.id, "at": at}))
                connection.execute(AUDIT, row(who, place, "guest.swapped", "guest", moved.id, moved.code))
        else:
            raise Refusal(422, "This status is not known.")
        return 200, guest_view(connection, site, guest_id)

    return run(request, who, place, ["PATCH guest", str(guestId), asked.model_dump(mode="json")], work)
