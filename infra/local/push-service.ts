import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { openDatabase } from './open-database.ts'
import { createReceiver, decryptPush, toPublicKey, verifyVapid } from './push-crypto.ts'

/** Endpoints are below this path of the product's own origin. */
export const pushPath = '/local/push/'

/** A message as the browser of a person would show it; `sentAt` is ISO 8601. */
export interface ReceivedPush {
  /** e-mail address of the person */
  to: string
  title: string
  body: string
  /** what a click opens, below the origin of the page */
  path: string
  sentAt: string
}

/** The push service of a local installation, and the browsers that have subscribed at it. */
export interface PushService {
  /** The browser of a person, a new one at first. @returns what it tells the product, for POST /api/push */
  subscribe(to: string): { endpoint: string; keys: { p256dh: string; auth: string } }
  /**
   * Takes a message to an endpoint, as a push service does (RFC 8030).
   * @param path of the endpoint
   * @returns its status: 201, 400 for what cannot be opened, 403 without a valid signature, 410 for an unknown browser
   */
  receive(path: string, message: { authorization: string; body: Uint8Array }): Promise<number>
  /** The messages, newest first: all of them, or those to an address. */
  list(to?: string): ReceivedPush[]
  close(): void
}

const maxPushes = 500

const content = z.object({
  title: z.string().catch(''),
  body: z.string().catch(''),
  path: z.string().catch('/'),
})
const browserRow = z.object({ email: z.string(), private_key: z.string(), auth: z.string() })
const ownRow = browserRow.omit({ email: true }).extend({ id: z.string() })
const claims = z.object({ aud: z.string(), exp: z.number(), sub: z.string() })

/**
 * Opens the service in the data folder; it keeps browsers, and the newest 500 messages, over restarts.
 * @param origin of the page
 * @param loadPublicKey the key that browsers subscribe with: messages of others are refused
 */
export function createPushService({
  dataDir,
  origin,
  loadPublicKey,
}: {
  dataDir: string
  origin: string
  loadPublicKey: () => Promise<string>
}): PushService {
  const db = openDatabase(
    dataDir,
    'push.sqlite',
    `
    CREATE TABLE IF NOT EXISTS browsers (id TEXT PRIMARY KEY, email TEXT NOT NULL, private_key TEXT NOT NULL, auth TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS pushes (number INTEGER PRIMARY KEY AUTOINCREMENT, data TEXT NOT NULL);
  `,
  )
  const addBrowser = db.prepare('INSERT INTO browsers (id, email, private_key, auth) VALUES (?, ?, ?, ?)')
  const findBrowser = db.prepare('SELECT email, private_key, auth FROM browsers WHERE id = ?')
  // the newest: an earlier release has made one for each press
  const findNewestBrowser = db.prepare(
    'SELECT id, private_key, auth FROM browsers WHERE email = ? ORDER BY rowid DESC LIMIT 1',
  )
  const addPush = db.prepare('INSERT INTO pushes (data) VALUES (?)')
  const deleteOld = db.prepare('DELETE FROM pushes WHERE number <= ?')
  const all = db.prepare('SELECT data FROM pushes ORDER BY number DESC')
  const toAddress = db.prepare("SELECT data FROM pushes WHERE data ->> 'to' = ? ORDER BY number DESC")

  async function isSignedFor(authorization: string): Promise<boolean> {
    try {
      const { aud, exp } = claims.parse(verifyVapid(authorization, await loadPublicKey()))
      return aud === origin && exp * 1_000 > Date.now()
    } catch {
      return false
    }
  }

  return {
    subscribe(to) {
      const known = findNewestBrowser.get(to)
      if (known) {
        const { id, private_key, auth } = ownRow.parse(known)
        const p256dh = toPublicKey(Buffer.from(private_key, 'base64url'))
        return { endpoint: `${origin}${pushPath}${id}`, keys: { p256dh, auth } }
      }
      const id = randomBytes(16).toString('hex')
      const { receiver, keys } = createReceiver()
      addBrowser.run(id, to, receiver.privateKey.toString('base64url'), keys.auth)
      return { endpoint: `${origin}${pushPath}${id}`, keys }
    },

    async receive(path, { authorization, body }) {
      const found = findBrowser.get(path.slice(pushPath.length))
      if (!found) return 410
      if (!(await isSignedFor(authorization))) return 403
      const { email, private_key, auth } = browserRow.parse(found)
      const receiver = {
        privateKey: Buffer.from(private_key, 'base64url'),
        auth: Buffer.from(auth, 'base64url'),
      }
      let message
      try {
        message = content.parse(JSON.parse(decryptPush(body, receiver)))
      } catch {
        return 400
      }
      const push: ReceivedPush = { to: email, ...message, sentAt: new Date().toISOString() }
      const { lastInsertRowid } = addPush.run(JSON.stringify(push))
      deleteOld.run(Number(lastInsertRowid) - maxPushes)
      return 201
    },

    list: (to) =>
      (to === undefined ? all.all() : toAddress.all(to)).map(
        (row) => JSON.parse(String(row['data'])) as ReceivedPush,
      ),
    close: () => db.close(),
  }
}
