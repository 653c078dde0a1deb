import { expect, it } from 'vitest'
import { mailPage } from './mail-page.ts'
import { mailHtmlToText } from './mail-text.ts'

const mail = {
  id: '1',
  to: '"><script>alert(1)</script>@example.com',
  subject: '<b>Confirm</b>',
  text: '</pre><script>alert(2)</script>',
  html: '<p title="x">Open <a href="https://juno.example/auth?a=1&amp;code=2">this</a></p><script>alert(3)</script>',
  sentAt: '2026-11-20T08:00:00.000Z',
}

it('escapes a mail’s text', () => {
  const page = mailPage({ mails: [mail], pushes: [] })
  expect(page).not.toContain('<script')
  expect(page).not.toContain('<b>Confirm')
  expect(page).toContain('&#60;b&#62;Confirm')
  expect(page).toContain('2026-11-20 08:00:00 UTC')
  expect(page.match(/<iframe /g)).toHaveLength(1)
  expect(page).not.toContain('allow-scripts')
})

it('says that there is no mail', () => {
  const page = mailPage({ mails: [], pushes: [] })
  expect(page).toContain('No mail yet.')
  expect(page).toContain('No push message yet.')
})

it('shows the newest 500, and says where all of them are', () => {
  const mails = Array.from({ length: 501 }, (_, index) => ({ ...mail, subject: `Mail ${501 - index}.` }))
  const page = mailPage({ mails, pushes: [] })
  expect(page.match(/<iframe /g)).toHaveLength(500)
  expect([page.includes('Mail 501.'), page.includes('Mail 2.'), page.includes('Mail 1.')]).toEqual([
    true,
    true,
    false,
  ])
  expect(page).toContain(
    '501 mails, newest first; the newest 500 are here, all of them in <a href="/local/mail.json">',
  )
})

it('escapes a push, and links to this page alone', () => {
  const push = {
    to: mail.to,
    title: '<b>Rent</b>',
    body: '<i>Waiting</i>',
    path: '//evil.example/"',
    sentAt: mail.sentAt,
  }
  const page = mailPage({ mails: [], pushes: [push], refused: '"><script>' })
  expect(page).not.toMatch(/<script|<b>|<i>/)
  expect(page).toContain('<a href="/evil.example/&#34;">')
  expect(page).toContain('No account has this address.')
})

it('turns a mail into text with its links', () => {
  expect(mailHtmlToText(mail.html.replace(/<script>.*/, ''))).toBe(
    'Open this: https://juno.example/auth?a=1&code=2',
  )
  const link = 'https://juno.example/auth?type=signup&email=a%40b.c&code=123456'
  expect(
    mailHtmlToText(
      `<head><title>Juno</title></head><p>Hello &lt;Ann&gt;,</p>\n<p><a href="${link}">${link}</a></p><p>Bye</p>`,
    ),
  ).toBe(`Hello <Ann>,\n${link}\nBye`)
})
