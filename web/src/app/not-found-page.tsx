import { t } from '@lingui/core/macro'
import { Link } from '../lib/navigation/router.tsx'
import { PageFrame } from '../components/page-frame.tsx'
import { buttonClass } from '../components/ui/button.tsx'
import { newChatPath } from '../lib/navigation/new-chat.ts'
import { useDocumentTitle } from '../lib/navigation/use-document-title.ts'

/** The 404 page. */
export function NotFoundPage() {
  useDocumentTitle(t`Page not found`)
  return (
    <PageFrame>
      <div className="m-auto max-w-md p-6">
        <p className="font-mono text-sm font-medium text-ink-faint">404</p>
        <h1 className="my-2 text-2xl font-semibold">{t`Oops! Page not found`}</h1>
        <p className="mb-6 text-base text-balance text-ink-muted">{t`The address may be outdated or mistyped.`}</p>
        <Link to={newChatPath()} className={buttonClass({ variant: 'primary' })}>
          {t`Return to Home`}
        </Link>
      </div>
    </PageFrame>
  )
}
