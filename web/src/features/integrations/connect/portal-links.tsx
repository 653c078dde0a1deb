import { t } from '@lingui/core/macro'
import { BookOpen, ExternalLink } from 'lucide-react'
import { buttonClass } from '../../../components/ui/button.tsx'

/** Links to the provider's setup page and documentation. */
export function PortalLinks({
  setupUrl,
  docsUrl,
}: {
  setupUrl: string | undefined
  docsUrl: string | undefined
}) {
  return (
    <>
      {setupUrl !== undefined && (
        <a
          href={setupUrl}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass({ size: 'sm', className: 'text-ink' })}
        >
          <ExternalLink aria-hidden size={16} />
          {t`Setup Portal`}
        </a>
      )}
      {docsUrl !== undefined && (
        <a
          href={docsUrl}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass({ size: 'sm', className: 'text-ink' })}
        >
          <BookOpen aria-hidden size={16} />
          {t`Docs`}
        </a>
      )}
    </>
  )
}
