import { t } from '@lingui/core/macro'
import { Check, Copy, Smartphone } from 'lucide-react'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { useCopy } from '../../../components/ui/use-copy.ts'
import { QrCode } from './qr-code.tsx'

/** The key of the account: as a QR code, as text for those who cannot scan it, and on a phone as a link that opens the authenticator app. */
export function Enrolment({ qrCodeUrl }: { qrCodeUrl: string }) {
  const secret = new URL(qrCodeUrl).searchParams.get('secret') ?? ''
  const { copied, copy } = useCopy({ title: t`Copied to clipboard` })
  return (
    <>
      <p className="text-ink-muted">{t`Scan the code with your authenticator app, then type the six digits it shows.`}</p>
      <a href={qrCodeUrl} className={buttonClass({ className: 'sm:hidden' })}>
        <Smartphone aria-hidden size={16} />
        {t`Open authenticator app`}
      </a>
      <div className="flex flex-wrap items-start gap-5 max-sm:gap-3">
        <QrCode text={qrCodeUrl} label={t`QR code for your authenticator app`} />
        <div className="grid min-w-36 flex-1 justify-items-start gap-2 max-sm:gap-1">
          <p className="font-medium">{t`Cannot scan it?`}</p>
          <p className="text-ink-muted">{t`Type this key into the app.`}</p>
          <code className="font-mono text-sm/6 wrap-anywhere">{secret.match(/.{1,4}/g)?.join(' ')}</code>
          <Button variant="ghost" size="sm" className="-ms-3" onClick={() => void copy(secret)}>
            {copied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
            {copied ? t`Copied` : t`Copy key`}
          </Button>
        </div>
      </div>
    </>
  )
}
