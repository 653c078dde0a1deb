import { cleanup, render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { parseRecipients } from '#shared/mail-recipients.ts'
import { ApprovalCards } from '../../web/src/features/chat/approvals/approval-cards.tsx'
import { anApprovalRequest } from '../support/chat-server.ts'
import { fakeConversation } from '../support/fake-conversation.ts'
import { PageProviders } from '../support/render-page.tsx'
import { revealHiddenCharacters } from '../../web/src/lib/text/hidden-characters.ts'
import { isDeeperThan, maxUntrustedDepth } from '../../functions/platform/http/json-depth.ts'
import { anyJson, arbitraryText, fc, stringify } from '../support/fuzz.ts'

const conversation = fakeConversation()

/** All visible text of the card. */
function readCard(args: Record<string, unknown>): string {
  const { container } = render(
    <ApprovalCards
      conversation={conversation}
      approvals={[anApprovalRequest({ arguments: args })]}
      assistantName="Juno"
    />,
    { wrapper: PageProviders },
  )
  const fields = [...container.querySelectorAll('textarea')].map(({ value }) => value)
  const text = [container.textContent, ...fields].join('\n')
  cleanup()
  return text
}

/** Input fields normalize line endings. */
const lines = (text: string) => text.replace(/\r\n?/g, '\n')
const anyName = fc.oneof(
  fc.constantFrom('to', 'subject', 'body', 'bcc', 'cc', 'attachments'),
  arbitraryText(20),
)
const anyValue = fc.oneof(arbitraryText(), anyJson(), fc.constantFrom('', null, 0, false, 'ann@example.org'))

it('every argument of a call is on its approval card, in full and by name (H3)', () => {
  fc.assert(
    fc.property(fc.dictionary(anyName, anyValue, { maxKeys: 8 }), (anyArguments) => {
      const body = stringify(anyArguments)
      // deeper arguments are refused before the user is asked
      fc.pre(!isDeeperThan(maxUntrustedDepth, body))
      const args = JSON.parse(body) as Record<string, unknown>
      const text = readCard(args)
      for (const [name, value] of Object.entries(args)) {
        const shown = typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
        const isShown = text.includes(revealHiddenCharacters(shown)) || text.includes(lines(shown))
        expect(isShown).toBe(true)
        if (!['to', 'subject', 'body'].includes(name)) expect(text).toContain(revealHiddenCharacters(name))
      }
    }),
    { examples: [[{ to: 'ann@example.org', subject: '', body: '', bcc: 'mallory@evil.example' }]] },
  )
})

it('every recipient of an e-mail is on its approval card, and none is hidden (H3)', () => {
  const recipient = fc
    .tuple(arbitraryText(40), fc.emailAddress())
    .map(([name, address]) => `"${name.replace(/["\\\r\n\0]/g, '')}" <${address}>`)
  const to = fc.array(recipient, { minLength: 1, maxLength: 20 }).map((people) => people.join(','))
  fc.assert(
    fc.property(to, arbitraryText(), arbitraryText(), (people, subject, body) => {
      const text = readCard({ to: people, subject, body })
      const parsed = parseRecipients(people)
      for (const { address } of 'recipients' in parsed ? parsed.recipients : [])
        expect(text).toContain(address)
      // the addresses are listed, and not as one text
      for (const part of [subject, body])
        expect(text.includes(revealHiddenCharacters(part)) || lines(text).includes(lines(part))).toBe(true)
      for (const part of [people, subject, body])
        if (revealHiddenCharacters(part) !== part) expect(text).toContain(revealHiddenCharacters(part))
    }),
  )
})
