import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createMailbox } from './mailbox.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'mail-'))
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(dataDir, { recursive: true })
})

const aMail = (subject: string) => ({ to: 'ann@example.com', subject, text: 'Hello', html: '<p>Hello</p>' })
const listSubjects = (mailbox: ReturnType<typeof createMailbox>, address?: string) =>
  mailbox.list(address).map(({ subject }) => subject)

it('lists the newest first, also after it was opened again', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T08:00:00Z') })
  const mailbox = createMailbox({ dataDir })
  mailbox.add(aMail('First'))
  const second = mailbox.add(aMail('Second'))
  expect(second).toEqual({ ...aMail('Second'), id: expect.any(String), sentAt: '2026-11-20T08:00:00.000Z' })
  expect(listSubjects(mailbox)).toEqual(['Second', 'First'])
  mailbox.close()
  const reopenedMailbox = createMailbox({ dataDir })
  expect(listSubjects(reopenedMailbox)).toEqual(['Second', 'First'])
  reopenedMailbox.close()
})

it('lists the mails to an address', () => {
  const mailbox = createMailbox({ dataDir })
  for (const [to, subject] of [
    ['ann@example.com', 'First'],
    ['ben@example.com', 'Second'],
    ['ann@example.com', 'Third'],
  ] as const)
    mailbox.add({ ...aMail(subject), to })
  expect(listSubjects(mailbox, 'ann@example.com')).toEqual(['Third', 'First'])
  expect(mailbox.list('nobody@example.com')).toEqual([])
  mailbox.close()
})

it('keeps every mail, also over restarts: a list may be read long after a thousand invitations', () => {
  const mailbox = createMailbox({ dataDir })
  for (let number = 1; number <= 1_001; number++) mailbox.add(aMail(`Mail ${number}`))
  mailbox.close()
  const reopenedMailbox = createMailbox({ dataDir })
  const subjects = listSubjects(reopenedMailbox)
  expect([subjects.length, subjects[0], subjects.at(-1)]).toEqual([1_001, 'Mail 1001', 'Mail 1'])
  reopenedMailbox.close()
})
