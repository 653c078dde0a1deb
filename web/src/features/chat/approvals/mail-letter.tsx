import { plural, t } from '@lingui/core/macro'
import { parseRecipients } from '#shared/mail-recipients.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { formatList } from '../../../lib/text/locale.ts'
import type { MailParts } from './mail.ts'

/** The e-mail as it will arrive. Only for one that `isReadable`. */
export function MailLetter({ mail: { to, subject, body } }: { mail: MailParts }) {
  const parsed = parseRecipients(to)
  const recipients = 'problem' in parsed ? [] : parsed.recipients
  return (
    <div className="border-t border-line">
      <dl className="grid grid-cols-[minmax(4.5rem,max-content)_minmax(0,1fr)] text-sm *:border-b *:border-line *:py-2.5 [&>dt]:pe-3">
        <dt className="text-ink-muted">{t`To`}</dt>
        <dd className="text-ui">
          {recipients.length > 1 && (
            <p className="text-sm text-ink-muted">{describeCount(recipients.length)}</p>
          )}
          <RecipientList recipients={recipients} />
        </dd>
        <dt className="text-ink-muted">{t`Subject`}</dt>
        <dd className="text-ui font-medium wrap-anywhere">
          <bdi>{subject}</bdi>
        </dd>
      </dl>
      <p dir="auto" className="max-w-(--width-reading) pt-4 text-base whitespace-pre-wrap wrap-anywhere">
        {body}
      </p>
    </div>
  )
}

/** Says in one line to whom an e-mail goes: first to how many, if it is more than one. */
export function describeRecipients({ to }: Pick<MailParts, 'to'>): string {
  const parsed = parseRecipients(to)
  const addresses = 'problem' in parsed ? [] : parsed.recipients.map(({ address }) => address)
  const list = addresses.length === 0 ? revealHiddenCharacters(to) : formatList(addresses)
  return addresses.length > 1 ? `${describeCount(addresses.length)} ${list}` : t`To ${{ recipient: list }}`
}

/** Says how many recipients there are. */
export const describeCount = (count: number) =>
  plural(count, { one: 'Goes to # recipient:', other: `Goes to # recipients:` })

/** The recipients, one per line: the address first, so that a display name cannot hide or imitate it. */
export function RecipientList({
  recipients,
}: {
  recipients: readonly { name?: string | undefined; address: string }[]
}) {
  return (
    <ul aria-label={t`Recipients`}>
      {recipients.map(({ name, address }, index) => (
        <li key={index} className="wrap-anywhere">
          <bdi>{address}</bdi>
          {name && (
            <span className="text-ink-muted">
              {' '}
              (<bdi>{revealHiddenCharacters(name)}</bdi>)
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
