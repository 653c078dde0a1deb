import { ExternalLink } from 'lucide-react'
import { buttonClass } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import type { PageRequest } from './elicitation-values.ts'
import * as texts from './elicitation-texts.ts'

/** A web page that the user opens. Its host is shown prominently, because it tells whose page it is. */
export function ElicitationPage({ request, onOpen }: { request: PageRequest; onOpen: () => void }) {
  const { url, host } = request
  const hasOtherAlphabet = host.split('.').some((label) => label.startsWith('xn--'))
  return (
    <div className="grid gap-3 rounded-md bg-surface-hover px-3.5 py-3">
      <div>
        <p className="text-sm text-ink-muted">{texts.opens}</p>
        <p className="font-semibold [overflow-wrap:anywhere]">
          <bdi>{host}</bdi>
        </p>
        <p className="text-sm text-ink-muted [overflow-wrap:anywhere]">
          <bdi>{url}</bdi>
        </p>
      </div>
      {hasOtherAlphabet && <Callout variant="danger">{texts.otherAlphabet}</Callout>}
      <p className="text-sm text-ink-muted">{texts.checkSite}</p>
      <a href={url} target="_blank" rel="noopener noreferrer" className={buttonClass()} onClick={onOpen}>
        <ExternalLink aria-hidden size={16} />
        <span className="truncate">{texts.open(host)}</span>
      </a>
    </div>
  )
}
