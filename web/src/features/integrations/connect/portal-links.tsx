import { t } from '@lingui/core/macro'
import { BookOpen, ExternalLink, type LucideIcon } from 'lucide-react'
import { buttonClass } from '../../../components/ui/button.tsx'

/** Links to the provider's setup page and documentation, as far as there are any. */
export function PortalLinks({
  setupUrl,
  docsUrl,
}: {
  setupUrl: string | undefined
  docsUrl: string | undefined
}) {
  return (
    <>
      {setupUrl !== undefined && <PortalLink url={setupUrl} label={t`Setup Portal`} Icon={ExternalLink} />}
      {docsUrl !== undefined && <PortalLink url={docsUrl} label={t`Docs`} Icon={BookOpen} />}
    </>
  )
}

function PortalLink({ url, label, Icon }: { url: string; label: string; Icon: LucideIcon }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className={buttonClass({ size: 'sm', className: 'text-ink' })}
    >
      <Icon aria-hidden size={16} />
      {label}
    </a>
  )
}
