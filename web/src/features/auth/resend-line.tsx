import { t } from '@lingui/core/macro'
import { useConfig } from '../../lib/api/config.ts'
import { TextButton } from './auth-form.tsx'

/** Says that another e-mail was sent. @param options.isAccountUnknown whether none was sent if there is no such account */
export const describeResend = ({ isAccountUnknown }: { isAccountUnknown: boolean }): string =>
  isAccountUnknown
    ? t`If there is such an account, a new e-mail is on its way.`
    : t`A new e-mail is on its way.`

/** Offers to send the e-mail again after a countdown. */
export function ResendLine({
  pauseSeconds,
  busy,
  onResend,
}: {
  pauseSeconds: number
  busy: boolean
  onResend: () => void
}) {
  const mailbox = useConfig()?.mailbox
  return (
    <>
      {mailbox === undefined ? (
        <p>{t`Nothing there? Check your spam folder.`}</p>
      ) : (
        <p>
          {t`No real e-mails are sent here.`}{' '}
          <a href={mailbox} target="_blank" rel="noopener" className="link">
            {t`Open the local mailbox`}
          </a>
        </p>
      )}
      <p>
        {pauseSeconds > 0 ? (
          <span className="whitespace-nowrap text-ink-faint">{t`Send again in ${{ seconds: pauseSeconds }} s`}</span>
        ) : (
          <TextButton onClick={onResend} busy={busy}>
            {t`Send it again`}
          </TextButton>
        )}
      </p>
    </>
  )
}
