import { Link } from 'react-router'
import { PageFrame } from '../components/page-frame.tsx'
import { buttonClass } from '../components/ui/button.tsx'
import { newChatPath } from '../lib/new-chat.ts'
import { useDocumentTitle } from '../lib/use-document-title.ts'
import * as texts from './texts.ts'
import * as commonTexts from '../components/texts.ts'

/** The 404 page. */
export function NotFoundPage() {
  useDocumentTitle(texts.pageNotFound)
  return (
    <PageFrame>
      <div className="m-auto max-w-md p-6">
        <p className="font-mono text-sm font-medium text-ink-faint">404</p>
        <h1 className="my-2 text-2xl font-semibold tracking-[-0.022em]">{texts.pageNotFoundTitle}</h1>
        <p className="mb-6 text-base text-balance text-ink-muted">{texts.pageNotFoundHint}</p>
        <Link to={newChatPath()} className={buttonClass({ variant: 'primary' })}>
          {commonTexts.returnHome}
        </Link>
      </div>
    </PageFrame>
  )
}
