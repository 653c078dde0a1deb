import { createHash, randomBytes } from 'node:crypto'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { foldEmail } from '#shared/user-pool.ts'
import { PoolGroups } from './pool-groups.ts'
import type { PasswordVerifier } from './srp.ts'
import { openDatabase } from '../../open-database.ts'

/** A mailed code; `expiresAt` in milliseconds. */
export interface MailedCode {
  code: string
  expiresAt: number
}

export interface SoftwareToken {
  secret: string
  /** Time steps whose codes were used; each code works once. */
  usedSteps: number[]
}

/** One user of the pool; times in milliseconds. */
export interface PoolUser {
  sub: string
  username: string
  status: 'UNCONFIRMED' | 'CONFIRMED' | 'EXTERNAL_PROVIDER' | 'FORCE_CHANGE_PASSWORD'
  /** All as text, `email_verified` too; `sub` is not among them. */
  attributes: Record<string, string>
  password: PasswordVerifier
  createdAt: number
  modifiedAt: number
  confirmationCode?: MailedCode
  resetCode?: MailedCode
  /** A new address, not active until confirmed with its code. */
  newEmail?: MailedCode & { email: string }
  softwareToken?: SoftwareToken
  pendingSoftwareToken?: SoftwareToken
  mfa: { enabled: boolean; preferred: boolean }
  disabled?: boolean
}

/** One sign-in and everything refreshed from it; times in milliseconds. */
export interface TokenFamily {
  originJti: string
  sub: string
  authTime: number
  expiresAt: number
  revoked: boolean
  /** those that the sign-in asked for, separated by spaces */
  scopes: string
}

const SCHEMA = `
  PRAGMA foreign_keys = ON;
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS users (
    sub TEXT PRIMARY KEY, username TEXT NOT NULL UNIQUE, login TEXT UNIQUE, data TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS families (
    origin_jti TEXT PRIMARY KEY, sub TEXT NOT NULL, auth_time INTEGER NOT NULL,
    expires_at INTEGER NOT NULL, revoked INTEGER NOT NULL DEFAULT 0, scopes TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS families_of_user ON families (sub);
  CREATE TABLE IF NOT EXISTS refresh_tokens (
    hash TEXT PRIMARY KEY, origin_jti TEXT NOT NULL, replaced_at INTEGER);
  CREATE INDEX IF NOT EXISTS tokens_of_family ON refresh_tokens (origin_jti);
`

/** The pool's data in one SQLite file; each change is on disk before its method returns. */
export class PoolStore {
  readonly #db: DatabaseSync
  readonly groups: PoolGroups

  constructor(dataDir: string) {
    this.#db = openDatabase(dataDir, 'cognito.sqlite', SCHEMA)
    this.groups = new PoolGroups(this.#db)
    this.#forgetEndedFamilies()
  }

  close(): void {
    this.#db.close()
  }

  /** The setting `name`; when there is none yet, `make()` is stored and returned. */
  findOrCreateSetting(name: string, make: () => string): string {
    const stored = this.findSetting(name)
    if (stored !== undefined) return stored
    const value = make()
    this.putSetting(name, value)
    return value
  }

  findSetting(name: string): string | undefined {
    const row = this.#get('SELECT value FROM settings WHERE name = ?', name)
    return row && String(row['value'])
  }

  putSetting(name: string, value: string): void {
    this.#run(
      'INSERT INTO settings VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
      name,
      value,
    )
  }

  /** A user by user name, `sub` or e-mail, letter case ignored. */
  findUser(name: string): PoolUser | undefined {
    const key = loginKey(name)
    return this.#user('SELECT data FROM users WHERE username = ?1 OR login = ?1 OR sub = ?1', key)
  }

  findUserBySub(sub: string): PoolUser | undefined {
    return this.#user('SELECT data FROM users WHERE sub = ?', sub)
  }

  /** Users in the order of their `sub`, beginning after `after`; those that `isListed` accepts. */
  listUsers(limit: number, after = '', isListed: (user: PoolUser) => boolean = () => true): PoolUser[] {
    const users: PoolUser[] = []
    for (const row of this.#db.prepare('SELECT data FROM users WHERE sub > ? ORDER BY sub').iterate(after)) {
      const user = asUser(row)
      if (isListed(user)) users.push(user)
      if (users.length === limit) break
    }
    return users
  }

  /** @returns false when the e-mail already belongs to a user; then nothing is stored */
  addUser(user: PoolUser): boolean {
    return (
      this.#run(
        'INSERT INTO users VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
        user.sub,
        user.username,
        getLogin(user),
        JSON.stringify(user),
      ) === 1
    )
  }

  /** @returns false when another user has taken the e-mail in the meantime; then nothing is stored */
  saveUser(user: PoolUser): boolean {
    const changed = { ...user, modifiedAt: Date.now() }
    return (
      this.#run(
        'UPDATE OR IGNORE users SET login = ?, data = ? WHERE sub = ?',
        getLogin(user),
        JSON.stringify(changed),
        user.sub,
      ) === 1
    )
  }

  deleteUser(sub: string): void {
    this.#atomically(() => {
      this.#run(
        'DELETE FROM refresh_tokens WHERE origin_jti IN (SELECT origin_jti FROM families WHERE sub = ?)',
        sub,
      )
      this.#run('DELETE FROM families WHERE sub = ?', sub)
      this.#run('DELETE FROM users WHERE sub = ?', sub)
    })
  }

  /** Stores a new sign-in and returns its first refresh token. */
  addFamily(family: TokenFamily): string {
    this.#forgetEndedFamilies()
    const token = newRefreshToken()
    this.#atomically(() => {
      this.#run(
        'INSERT INTO families VALUES (?, ?, ?, ?, ?, ?)',
        family.originJti,
        family.sub,
        family.authTime,
        family.expiresAt,
        Number(family.revoked),
        family.scopes,
      )
      this.#run('INSERT INTO refresh_tokens VALUES (?, ?, NULL)', hashToken(token), family.originJti)
    })
    return token
  }

  findFamily(originJti: string): TokenFamily | undefined {
    const row = this.#get('SELECT * FROM families WHERE origin_jti = ?', originJti)
    return row && asFamily(row)
  }

  /** The family of a refresh token; `replacedAt` is when the token was first exchanged, in milliseconds. */
  findRefreshToken(token: string): { family: TokenFamily; replacedAt: number | undefined } | undefined {
    const row = this.#get(
      'SELECT families.*, replaced_at FROM refresh_tokens JOIN families USING (origin_jti) WHERE hash = ?',
      hashToken(token),
    )
    if (!row) return undefined
    const replaced = row['replaced_at']
    return { family: asFamily(row), replacedAt: replaced === null ? undefined : Number(replaced) }
  }

  /** Exchanges a refresh token for its successor; `replaced_at` keeps the time of the first exchange. */
  replaceRefreshToken(token: string, originJti: string): string {
    const successor = newRefreshToken()
    this.#atomically(() => {
      this.#run(
        'UPDATE refresh_tokens SET replaced_at = coalesce(replaced_at, ?) WHERE hash = ?',
        Date.now(),
        hashToken(token),
      )
      this.#run('INSERT INTO refresh_tokens VALUES (?, ?, NULL)', hashToken(successor), originJti)
    })
    return successor
  }

  revokeFamily(originJti: string): void {
    this.#run('UPDATE families SET revoked = 1 WHERE origin_jti = ?', originJti)
  }

  revokeFamilies(sub: string): void {
    this.#run('UPDATE families SET revoked = 1 WHERE sub = ?', sub)
  }

  #forgetEndedFamilies(): void {
    const now = Date.now()
    this.#atomically(() => {
      this.#run(
        'DELETE FROM refresh_tokens WHERE origin_jti IN (SELECT origin_jti FROM families WHERE expires_at < ?)',
        now,
      )
      this.#run('DELETE FROM families WHERE expires_at < ?', now)
    })
  }

  #user(sql: string, key: string): PoolUser | undefined {
    const row = this.#get(sql, key)
    return row && asUser(row)
  }

  #get(sql: string, ...values: SQLInputValue[]): Record<string, unknown> | undefined {
    return this.#db.prepare(sql).get(...values)
  }

  #run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#db.prepare(sql).run(...values).changes)
  }

  #atomically(change: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      change()
      this.#db.exec('COMMIT')
    } catch (error) {
      this.#db.exec('ROLLBACK')
      throw error
    }
  }
}

const loginKey = foldEmail

/** The alias for sign-in beside the user name; federated users have none. */
const getLogin = (user: PoolUser): string | null =>
  user.status === 'EXTERNAL_PROVIDER' ? null : loginKey(user.attributes['email'] ?? '')

const newRefreshToken = (): string => randomBytes(96).toString('base64url')

const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64')

const asUser = (row: Record<string, unknown>): PoolUser => JSON.parse(String(row['data'])) as PoolUser

const asFamily = (row: Record<string, unknown>): TokenFamily => ({
  originJti: String(row['origin_jti']),
  sub: String(row['sub']),
  authTime: Number(row['auth_time']),
  expiresAt: Number(row['expires_at']),
  revoked: row['revoked'] === 1,
  scopes: String(row['scopes']),
})
