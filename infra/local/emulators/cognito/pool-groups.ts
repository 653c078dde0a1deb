import type { DatabaseSync } from 'node:sqlite'
import type { PoolUser } from './pool-store.ts'

/** A group of the pool; times in milliseconds. */
export interface PoolGroup {
  name: string
  description?: string | undefined
  precedence?: number | undefined
  createdAt: number
  modifiedAt: number
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS groups (name TEXT PRIMARY KEY, data TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS members (
    name TEXT NOT NULL REFERENCES groups (name) ON DELETE CASCADE,
    sub TEXT NOT NULL REFERENCES users (sub) ON DELETE CASCADE,
    PRIMARY KEY (name, sub));
  CREATE INDEX IF NOT EXISTS groups_of_user ON members (sub);
`

type Row = Record<string, unknown>
const asGroup = (row: Row): PoolGroup => JSON.parse(String(row['data'])) as PoolGroup
const asUser = (row: Row): PoolUser => JSON.parse(String(row['data'])) as PoolUser

/** The groups of a pool and who is in them. Lists are in the order of names, or of `sub`, and begin after `after`. */
export class PoolGroups {
  readonly #db: DatabaseSync

  /** @param db has the table of users already, and foreign keys switched on */
  constructor(db: DatabaseSync) {
    this.#db = db
    this.#db.exec(SCHEMA)
  }

  find(name: string): PoolGroup | undefined {
    const row = this.#db.prepare('SELECT data FROM groups WHERE name = ?').get(name)
    return row && asGroup(row)
  }

  /** @returns false when there is one of this name; then nothing is stored */
  add(group: PoolGroup): boolean {
    const sql = 'INSERT INTO groups VALUES (?, ?) ON CONFLICT DO NOTHING'
    return Number(this.#db.prepare(sql).run(group.name, JSON.stringify(group)).changes) === 1
  }

  /** Its members stay users. */
  delete(name: string): void {
    this.#db.prepare('DELETE FROM groups WHERE name = ?').run(name)
  }

  list(limit: number, after = ''): PoolGroup[] {
    const sql = 'SELECT data FROM groups WHERE name > ? ORDER BY name LIMIT ?'
    return this.#db.prepare(sql).all(after, limit).map(asGroup)
  }

  addMember(name: string, sub: string): void {
    this.#db.prepare('INSERT INTO members VALUES (?, ?) ON CONFLICT DO NOTHING').run(name, sub)
  }

  removeMember(name: string, sub: string): void {
    this.#db.prepare('DELETE FROM members WHERE name = ? AND sub = ?').run(name, sub)
  }

  listForUser(sub: string, limit = -1, after = ''): PoolGroup[] {
    const sql =
      'SELECT data FROM groups JOIN members USING (name) WHERE sub = ? AND name > ? ORDER BY name LIMIT ?'
    return this.#db.prepare(sql).all(sub, after, limit).map(asGroup)
  }

  listMembers(name: string, limit: number, after = ''): PoolUser[] {
    const sql =
      'SELECT data FROM users JOIN members USING (sub) WHERE name = ? AND sub > ? ORDER BY sub LIMIT ?'
    return this.#db.prepare(sql).all(name, after, limit).map(asUser)
  }
}
