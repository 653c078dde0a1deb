import { randomUUID } from 'node:crypto'
import { openDatabase } from '../../infra/local/open-database.ts'
import type { PoolUser } from '../../infra/local/emulators/cognito/pool-store.ts'

/**
 * Adds confirmed users to the emulated user pool of a data folder, and puts them into a group that exists: thousands in less than a second.
 * They cannot sign in.
 * @returns their ids
 */
export function fillGroup(dataDir: string, group: string, count: number): string[] {
  const database = openDatabase(dataDir, 'cognito.sqlite', '')
  const addUser = database.prepare('INSERT INTO users VALUES (?, ?, ?, ?)')
  const addMember = database.prepare('INSERT INTO members VALUES (?, ?)')
  const now = Date.now()
  const subs = Array.from({ length: count }, () => randomUUID())
  database.exec('BEGIN IMMEDIATE')
  for (const sub of subs) {
    const email = `${sub}@example.com`
    const user: PoolUser = {
      sub,
      username: sub,
      status: 'CONFIRMED',
      attributes: { email, email_verified: 'true', name: 'One of many' },
      password: { salt: '', verifier: '' },
      createdAt: now,
      modifiedAt: now,
      mfa: { enabled: false, preferred: false },
    }
    addUser.run(sub, sub, email, JSON.stringify(user))
    addMember.run(group, sub)
  }
  database.exec('COMMIT')
  database.close()
  return subs
}
