import { t } from '@lingui/core/macro'
import { ExternalLink } from 'lucide-react'
import { buttonClass } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import type { PageRequest } from './elicitation-values.ts'

/** A web page that a server asks the user to open. Its host is shown prominently, because it tells whose page it is. */
export function ElicitationPage({ request, onOpen }: { request: PageRequest; onOpen: () => void }) {
  const { url, host } = request
  const hasOtherAlphabet = host.split('.').some((label) => label.startsWith('xn--'))
  return (
    <div className="grid gap-3 rounded-md bg-surface-hover px-3.5 py-3">
      <div>
        <p className="text-sm text-ink-muted">{t`This page opens in a new tab:`}</p>
        <p className="font-semibold wrap-anywhere">
          <bdi>{host}</bdi>
        </p>
        <p className="text-sm text-ink-muted wrap-anywhere">
          <bdi>{url}</bdi>
        </p>
      </div>
      {hasOtherAlphabet && (
        <Callout variant="warning">{t`The name of this site is written in another alphabet. It may imitate a site that you know.`}</Callout>
      )}
      <p className="text-sm text-ink-muted">{t`Sign in or pay there only if you know this site.`}</p>
      <a href={url} target="_blank" rel="noopener noreferrer" className={buttonClass()} onClick={onOpen}>
        <ExternalLink aria-hidden size={16} />
        <span className="truncate">{t`Open ${host}`}</span>
      </a>
    </div>
  )
}
