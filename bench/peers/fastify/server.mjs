// The peer: Fastify 5 and better-sqlite3 on Berth's own tables, doing what Berth does for a board, a reservation, a move
// and a swap: session and rights on every call, a touch of the site, the rules, the partial unique indexes, an audit
// row, an idempotency key, a commit that is flushed. Written as one would: no framework but Fastify, prepared statements.
import { createHash, randomBytes } from 'node:crypto'
import Database from 'better-sqlite3'
import Fastify from 'fastify'

const db = new Database(process.env.DATABASE)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.pragma('foreign_keys = ON')
db.pragma('busy_timeout = 5000')

const CACHED = process.env.CACHE_BYTES === 'yes'
const IDLE = 15 * 60_000
const DAY = 86_400_000

const toId = (text) => Buffer.from(text.replaceAll('-', ''), 'hex')
const toText = (id) => {
  if (id === null) return null
  const hex = id.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
const time = (millis) => (millis === null ? null : new Date(millis).toISOString())
const newId = () => {
  const id = randomBytes(16)
  id.writeUIntBE(Date.now(), 0, 6)
  id[6] = 0x70 | (id[6] & 0x0f)
  id[8] = 0x80 | (id[8] & 0x3f)
  return id
}

class Refusal extends Error {
  constructor(status, message, more) {
    super(message)
    this.status = status
    this.more = more
  }
}

const SECRET = db.prepare(`SELECT s.kind, s.user_id, u.email, s.expires_at, s.used_at, s.session_id, x.last_seen_at,
  x.expires_at AS session_expires_at, x.ended_at, m.status, m.role, m.organization_id, m.site_id
  FROM secrets s JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL
  LEFT JOIN sessions x ON x.id = s.session_id
  LEFT JOIN memberships m ON m.user_id = s.user_id AND m.deleted_at IS NULL AND m.status <> 'Disabled'
  WHERE s.hash = ?`)
const SITE = db.prepare(`SELECT s.id, s.organization_id, s.name, s.time_zone, s.version, o.is_commercial FROM sites s
  JOIN organizations o ON o.id = s.organization_id AND o.deleted_at IS NULL WHERE s.id = ? AND s.deleted_at IS NULL`)

// Who calls: the secret by its SHA-256, its session, user and memberships.
function caller(request) {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme.toLowerCase() !== 'bearer' || !token) throw new Refusal(401, 'Please sign in.')
  const rows = SECRET.all(createHash('sha256').update(token).digest('hex'))
  const now = Date.now()
  const first = rows[0]
  if (!first || first.kind !== 'access' || first.expires_at <= now || first.used_at !== null || first.ended_at !== null ||
    first.session_expires_at <= now || first.last_seen_at + IDLE <= now) throw new Refusal(401, 'Please sign in.')
  const memberships = rows.filter((row) => row.status === 'Active')
  if (memberships.length === 0) throw new Refusal(401, 'Please sign in.')
  return { userId: first.user_id, email: first.email, sessionId: first.session_id, memberships, address: request.ip }
}

// Loads the site for one who may `roles` there.
function siteFor(who, id, roles) {
  const site = SITE.get(id)
  if (!site) throw new Refusal(404, 'Not found.')
  const held = who.memberships.filter((m) => m.role === 'GlobalAdmin' || (m.organization_id && m.organization_id.equals(site.organization_id)) ||
    (m.site_id && m.site_id.equals(site.id)))
  if (held.length === 0) throw new Refusal(404, 'Not found.')
  const role = held.find((m) => roles.includes(m.role))
  if (!role) throw new Refusal(403, 'Your role does not allow this.')
  return { ...site, role: role.role }
}

const AUDIT = db.prepare(`INSERT INTO audit (id, at, action, actor_id, actor_email, actor_role, organization_id, site_id,
  object_type, object_id, summary, address, request_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
const audit = (who, site, action, kind, object, summary, requestId, at = Date.now()) =>
  AUDIT.run(newId(), at, action, who.userId, who.email, site.role, site.organization_id, site.id, kind, object, summary, who.address, requestId)

// Reads of boards ride together: once for each session, site and version, written every half second.
const seen = new Map()
let waiting = []
function noteRead(who, site, requestId) {
  const key = who.sessionId.toString('latin1') + site.id.toString('latin1')
  if (seen.get(key) === site.version) return
  if (seen.size > 20_000) seen.clear()
  seen.set(key, site.version)
  waiting.push([who, site, requestId, Date.now()])
}
setInterval(() => {
  if (waiting.length === 0) return
  const rows = waiting
  waiting = []
  db.transaction(() => {
    for (const [who, site, requestId, at] of rows)
      audit(who, site, 'board.viewed', 'site', site.id, `version ${site.version}`, requestId, at)
  }).immediate()
}, 500)

const nights = new Map()
function daysStayed(from, now, zone) {
  let format = nights.get(zone)
  if (!format) nights.set(zone, (format = new Intl.DateTimeFormat('en-CA', { timeZone: zone })))
  return Math.max(1, Math.round((Date.parse(format.format(now)) - Date.parse(format.format(from))) / DAY))
}

const ROOMS = db.prepare('SELECT id, name, image_path FROM rooms WHERE site_id = ? AND deleted_at IS NULL ORDER BY position, id')
const BEDS = db.prepare(`SELECT b.id, b.room_id, b.name, b.description, b.kind, b.position, b.image_path, b.disabled, b.created_at,
  b.version, g.id AS guest_id, g.code, g.first_name, g.last_name, g.gender, g.accepted_at, g.reassigned_at, g.version AS guest_version
  FROM beds b LEFT JOIN stays t ON t.bed_id = b.id AND t.ended_at IS NULL LEFT JOIN guests g ON g.id = t.guest_id
  WHERE b.site_id = ? AND b.deleted_at IS NULL ORDER BY b.position, b.id`)
const readBoard = db.transaction((id) => [SITE.get(id), ROOMS.all(id), BEDS.all(id)])

function renderBoard(id) {
  const [site, rooms, rows] = readBoard(id)
  const now = Date.now()
  const byRoom = new Map(rooms.map((room) => [room.id.toString('latin1'), { short: { id: toText(room.id), name: room.name, imagePath: room.image_path }, beds: [] }]))
  for (const row of rows) {
    const room = byRoom.get(row.room_id.toString('latin1'))
    const guest = row.guest_id && {
      id: toText(row.guest_id), displayName: `${row.first_name} ${row.last_name.toUpperCase()}. ${row.code}`, code: row.code,
      firstName: row.first_name, lastName: row.last_name, gender: row.gender, acceptedAt: time(row.accepted_at),
      reassignedAt: time(row.reassigned_at), daysStayed: row.accepted_at === null ? 1 : daysStayed(row.accepted_at, now, site.time_zone),
      version: row.guest_version,
    }
    room.beds.push({
      id: toText(row.id), name: row.name, description: row.description, type: row.kind, index: row.position, imagePath: row.image_path,
      disabled: row.disabled === 1, isOccupied: guest !== null, guest, createdAt: time(row.created_at), version: row.version, room: room.short,
    })
  }
  return { site, bytes: Buffer.from(JSON.stringify([...byRoom.values()].flatMap((room) => room.beds))) }
}

const EVERYONE = ['GlobalAdmin', 'Owner', 'Admin', 'Intake', 'Staff']
const PLACERS = ['GlobalAdmin', 'Owner', 'Admin', 'Intake']
const app = Fastify({ logger: false })
app.setErrorHandler((error, request, reply) => {
  const status = error.status ?? error.statusCode ?? 500
  if (status === 500) console.error(error)
  reply.code(status).type('application/problem+json').send(JSON.stringify({ status, message: error.message, ...error.more }))
})
app.get('/healthz', async () => 'ok')

const boards = new Map()
app.get('/api/Beds', (request, reply) => {
  const who = caller(request)
  const id = toId(String(request.query.siteId ?? ''))
  const site = siteFor(who, id, EVERYONE)
  const key = request.query.siteId
  let board = CACHED ? boards.get(key) : undefined
  if (!board || board.site.version !== site.version) {
    board = renderBoard(id)
    if (CACHED) boards.set(key, board)
  }
  noteRead(who, { ...site, version: board.site.version }, request.id)
  reply.type('application/json').header('etag', `"${board.site.version}"`).send(board.bytes)
})

const CLAIM = db.prepare('INSERT INTO idempotency_keys (owner, key, fingerprint, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (owner, key) DO NOTHING')
const STORED = db.prepare('SELECT fingerprint, status, body FROM idempotency_keys WHERE owner = ? AND key = ?')
const ANSWER = db.prepare('UPDATE idempotency_keys SET status = ?, body = ? WHERE owner = ? AND key = ?')
const TOUCH = db.prepare('UPDATE sites SET version = version + 1 WHERE id = ? AND deleted_at IS NULL RETURNING version')

// One command: key, touch, work, stored answer, one flushed commit.
const run = db.transaction((request, who, site, asked, work) => {
  const key = request.headers['idempotency-key']
  const owner = toText(who.userId)
  if (key) {
    const fingerprint = createHash('sha256').update(JSON.stringify(asked)).digest('hex')
    if (CLAIM.run(owner, key, fingerprint, Date.now()).changes === 0) {
      const stored = STORED.get(owner, key)
      if (stored.fingerprint !== fingerprint) throw new Refusal(422, 'This Idempotency-Key was used for another request.')
      return [stored.status, stored.body]
    }
  }
  TOUCH.get(site.id)
  const [status, answer] = work()
  const body = JSON.stringify(answer)
  if (key) ANSWER.run(status, body, owner, key)
  return [status, body]
}).immediate

const CAPACITY = db.prepare(`SELECT (SELECT COUNT(*) FROM beds b WHERE b.site_id = $id AND b.deleted_at IS NULL AND NOT b.disabled
  AND NOT EXISTS (SELECT 1 FROM stays t WHERE t.bed_id = b.id AND t.ended_at IS NULL)) AS vacant,
  (SELECT COUNT(*) FROM guests g WHERE g.site_id = $id AND g.rejected_at IS NULL AND g.expired_at IS NULL AND g.discharged_at IS NULL
  AND g.accepted_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > $now)) AS pending`)
const LOCK = db.prepare('INSERT INTO person_locks (person) VALUES (?) ON CONFLICT (person) DO UPDATE SET version = person_locks.version + 1')
const ACTIVE = db.prepare(`SELECT COUNT(*) AS active FROM guests WHERE (phone = ? OR email_key = ?) AND rejected_at IS NULL AND expired_at IS NULL
  AND discharged_at IS NULL AND (accepted_at IS NOT NULL OR expires_at IS NULL OR expires_at > ?)`)
const INSERT = db.prepare(`INSERT INTO guests (id, site_id, code, first_name, first_name_key, last_name, gender, age_service_id, client_service_id,
  phone, email, email_key, location, source, payment_method, created_at, created_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'Admin', ?, ?, ?)
  ON CONFLICT (code) DO NOTHING`)
const SERVICE = db.prepare('INSERT INTO guest_services (guest_id, service_id) VALUES (?, ?)')
const GUEST = db.prepare(`SELECT g.*, b.id AS bed_id, b.name AS bed_name, b.kind AS bed_kind, b.position AS bed_position, b.image_path AS bed_image_path,
  r.id AS room_id, r.name AS room_name, r.image_path AS room_image_path, i.name AS insurer
  FROM guests g LEFT JOIN insurance_companies i ON i.id = g.insurance_company_id LEFT JOIN stays s ON s.guest_id = g.id AND s.ended_at IS NULL
  LEFT JOIN beds b ON b.id = s.bed_id LEFT JOIN rooms r ON r.id = b.room_id WHERE g.id = ? AND g.site_id = ?`)
const ITS_SERVICES = db.prepare('SELECT service_id FROM guest_services WHERE guest_id = ?')

function guestView(site, id) {
  const g = GUEST.get(id, site.id)
  if (!g) throw new Refusal(404, 'Not found.')
  const status = g.rejected_at ? 'Rejected' : g.discharged_at ? 'Discharged' : g.expired_at ? 'Expired' : g.reassigned_at ? 'Reassigned' : g.accepted_at ? 'Accepted' : 'Pending'
  return {
    id: toText(g.id), code: g.code, firstName: g.first_name, lastName: g.last_name, displayName: `${g.first_name} ${g.last_name.toUpperCase()}. ${g.code}`,
    gender: g.gender, age: g.age_service_id, typeOfClient: g.client_service_id, phone: g.phone, email: g.email, location: g.location,
    services: ITS_SERVICES.all(id).map((row) => row.service_id), siteId: toText(g.site_id), siteName: site.name, status,
    createdAt: time(g.created_at), acceptedAt: time(g.accepted_at), rejectedAt: time(g.rejected_at), reassignedAt: time(g.reassigned_at),
    dischargedAt: time(g.discharged_at), expiresAt: time(g.expires_at), expiredAt: time(g.expired_at), source: g.source,
    assignedBedId: toText(g.bed_id), room: g.room_id && { id: toText(g.room_id), name: g.room_name, imagePath: g.room_image_path },
    bed: g.bed_id && { id: toText(g.bed_id), name: g.bed_name, type: g.bed_kind, index: g.bed_position, imagePath: g.bed_image_path },
    feedback: g.feedback, organizationReservationPaymentMethod: g.payment_method, insuranceCompanyName: g.insurer,
    daysStayed: g.accepted_at === null ? 0 : daysStayed(g.accepted_at, g.discharged_at ?? Date.now(), site.time_zone), version: g.version,
  }
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const FORM = {
  type: 'object',
  required: ['siteId', 'gender', 'ageServiceId', 'firstName', 'lastName', 'phone', 'email', 'serviceIds', 'typeOfClientServiceId', 'paymentMethod'],
  properties: {
    siteId: { type: 'string', minLength: 36, maxLength: 36 }, gender: { type: 'integer', minimum: 0, maximum: 2 },
    ageServiceId: { type: 'string', enum: ['age-under-18', 'age-18-26', 'age-over-27'] }, firstName: { type: 'string', minLength: 1, maxLength: 50 },
    lastName: { type: 'string', minLength: 1, maxLength: 1 }, phone: { type: 'string', pattern: '^\\(\\d{3}\\) \\d{3}-\\d{4}$' },
    email: { type: 'string', pattern: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', maxLength: 254 }, location: { type: 'string', maxLength: 200 },
    serviceIds: { type: 'array', items: { type: 'string' }, minItems: 1 }, typeOfClientServiceId: { type: 'string' }, paymentMethod: { type: 'integer', minimum: 1, maximum: 3 },
  },
}
app.post('/api/Guests', { schema: { body: FORM } }, (request, reply) => {
  const who = caller(request)
  const form = request.body
  const site = siteFor(who, toId(form.siteId), PLACERS)
  const [status, body] = run(request, who, site, ['POST guest', form], () => {
    const now = Date.now()
    const { vacant, pending } = CAPACITY.get({ id: site.id, now })
    if (pending >= vacant) throw new Refusal(409, 'You cannot add a new guest because there are no vacant beds.')
    const phone = `+1${form.phone.replaceAll(/\D/g, '')}`
    const email = form.email.toLowerCase()
    const persons = [`phone:${phone}`, `email:${email}`].map((person) => createHash('sha256').update(person).digest('hex')).sort()
    for (const person of persons) LOCK.run(person)
    if (ACTIVE.get(phone, email, now).active >= 2) throw new Refusal(409, 'This person has two active reservations.')
    const id = newId()
    let code
    do {
      code = [...randomBytes(6)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
    } while (INSERT.run(id, site.id, code, form.firstName, form.firstName.toLowerCase(), form.lastName, ['Male', 'Female', 'Other'][form.gender], form.ageServiceId,
      form.typeOfClientServiceId, phone, form.email, email, form.location ?? null, form.paymentMethod, now, who.userId).changes === 0)
    for (const service of form.serviceIds) SERVICE.run(id, service)
    audit(who, site, 'guest.created', 'guest', id, `${code} (Admin)`, request.id)
    return [201, guestView(site, id)]
  })
  reply.code(status).type('application/json').send(body)
})

const PLACE = db.prepare('SELECT site_id FROM guests WHERE id = ?')
const FACTS = db.prepare('SELECT * FROM guests WHERE id = ?')
const BOARD_BEDS = db.prepare('SELECT b.id, b.disabled FROM beds b WHERE b.site_id = ? AND b.deleted_at IS NULL')
const HOLDERS = db.prepare('SELECT s.bed_id, s.guest_id FROM stays s WHERE s.site_id = ? AND s.ended_at IS NULL')
const END = db.prepare('UPDATE stays SET ended_at = ?, ended_by = ?, end_reason = ? WHERE guest_id = ? AND bed_id = ? AND ended_at IS NULL')
const OPEN = db.prepare('INSERT INTO stays (id, site_id, guest_id, bed_id, started_at, started_by) VALUES (?, ?, ?, ?, ?, ?)')
const MOVED = db.prepare('UPDATE guests SET reassigned_at = ?, version = version + 1 WHERE id = ? AND accepted_at IS NOT NULL AND discharged_at IS NULL')
const DECLINED = db.prepare('UPDATE guests SET rejected_at = ?, version = version + 1 WHERE id = ? AND accepted_at IS NULL AND rejected_at IS NULL AND expired_at IS NULL')
const one = (done) => { if (done.changes !== 1) throw new Refusal(409, 'The board has changed.') }

app.patch('/api/Guests/:id', (request, reply) => {
  const who = caller(request)
  const id = toId(request.params.id)
  const place = PLACE.get(id)
  if (!place) throw new Refusal(404, 'Not found.')
  const site = siteFor(who, place.site_id, PLACERS)
  const asked = request.body
  const refused = (text) => new Refusal(409, text, { guest: guestView(site, id) })
  const [status, body] = run(request, who, site, ['PATCH guest', request.params.id, asked], () => {
    const now = Date.now()
    const guest = FACTS.get(id)
    if (asked.version !== undefined && asked.version !== guest.version) throw new Refusal(412, 'Someone else changed it first.')
    const status = String(asked.status).toUpperCase()
    if (status === 'REJECTED') {
      one(DECLINED.run(now, id))
      audit(who, site, 'guest.rejected', 'guest', id, guest.code, request.id)
      return [200, guestView(site, id)]
    }
    const beds = BOARD_BEDS.all(site.id)
    const holders = HOLDERS.all(site.id)
    const wanted = toId(asked.bedId)
    const bed = beds.find((bed) => bed.id.equals(wanted))
    const mine = holders.find((stay) => stay.guest_id.equals(id))
    const theirs = holders.find((stay) => stay.bed_id.equals(wanted))
    if (!bed) throw refused('This bed is not of this site.')
    if (!mine) throw refused('This guest has no bed.')
    if (bed.disabled) throw refused('This bed is disabled.')
    const move = (guestId, from, to, reason) => one(END.run(now, who.userId, reason, guestId, from)) ?? (() => OPEN.run(newId(), site.id, guestId, to, now, who.userId))
    if (status === 'REASSIGNED') {
      if (theirs) throw refused('This bed is taken.')
      move(id, mine.bed_id, wanted, 'reassigned')()
      one(MOVED.run(now, id))
      audit(who, site, 'guest.reassigned', 'guest', id, `${guest.code} from bed ${toText(mine.bed_id)} to bed ${toText(wanted)}`, request.id)
    } else if (status === 'SWAP') {
      if (!theirs || theirs.guest_id.equals(id)) throw refused('Nobody holds this bed.')
      const other = FACTS.get(theirs.guest_id)
      const opens = [move(id, mine.bed_id, wanted, 'swapped'), move(other.id, wanted, mine.bed_id, 'swapped')]
      for (const open of opens) open()
      for (const moved of [guest, other]) {
        one(MOVED.run(now, moved.id))
        audit(who, site, 'guest.swapped', 'guest', moved.id, moved.code, request.id)
      }
    } else throw new Refusal(422, 'This status is not known.')
    return [200, guestView(site, id)]
  })
  reply.code(status).type('application/json').send(body)
})

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
