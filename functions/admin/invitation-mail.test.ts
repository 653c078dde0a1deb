import { expect, it } from 'vitest'
import { invitationMailer } from './invitation-mail.ts'

const sender = 'mail@example.org'

it.each(['Juno', 'Помощник администрации Петроградского района', '\u{1f1e9}'.repeat(60)])(
  'names the sender in encoded words of at most 75 characters: %s',
  async (brandName) => {
    let from = ''
    const send = async ({ input }: { input: { FromEmailAddress: string } }) => {
      from = input.FromEmailAddress
    }
    const sendMail = invitationMailer({ send: send as never }, { sender, brandName })
    await sendMail({ email: 'ann@example.com', link: 'https://juno.example', endsAt: new Date() })
    const words = from.replace(` <${sender}>`, '').split(' ')
    expect(Math.max(...words.map((word) => word.length))).toBeLessThanOrEqual(75)
    const decode = (word: string) => Buffer.from(/^=\?UTF-8\?B\?(.+)\?=$/.exec(word)?.[1] ?? '', 'base64')
    expect(words.map((word) => decode(word).toString()).join('')).toBe(brandName)
  },
)
