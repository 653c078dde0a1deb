import { t } from '@lingui/core/macro'
import { useConfig } from '../../lib/config.ts'
import { TextButton } from './auth-form.tsx'

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
