import { randomUUID } from 'node:crypto'
import { openDatabase } from './open-database.ts'

/** One e-mail that the product sent; `sentAt` is ISO 8601. */
export interface Mail {
  id: string
  to: string
  subject: string
  text: string
  html: string
  sentAt: string
}

/** The mail service of a local installation. */
export interface Mailbox {
  /** Returns when the mail is stored on disk. */
  add(mail: Pick<Mail, 'to' | 'subject' | 'text' | 'html'>): Mail
  /** The stored mails, newest first: all of them, or those to an address. */
  list(to?: string): Mail[]
  close(): void
}

/** Opens the mailbox in the data folder; it keeps all mails over restarts. */
export function createMailbox({ dataDir }: { dataDir: string }): Mailbox {
  const db = openDatabase(
    dataDir,
    'mail.sqlite',
    `CREATE TABLE IF NOT EXISTS mails (number INTEGER PRIMARY KEY AUTOINCREMENT, data TEXT NOT NULL);
     CREATE INDEX IF NOT EXISTS mails_by_address ON mails (data ->> 'to')`,
  )
  const insert = db.prepare('INSERT INTO mails (data) VALUES (?)')
  const all = db.prepare('SELECT data FROM mails ORDER BY number DESC')
  const toAddress = db.prepare("SELECT data FROM mails WHERE data ->> 'to' = ? ORDER BY number DESC")
  return {
    add({ to, subject, text, html }) {
      const mail = { id: randomUUID(), to, subject, text, html, sentAt: new Date().toISOString() }
      insert.run(JSON.stringify(mail))
      return mail
    },
    list: (to) =>
      (to === undefined ? all.all() : toAddress.all(to)).map(
        (row) => JSON.parse(String(row['data'])) as Mail,
      ),
    close: () => db.close(),
  }
}
