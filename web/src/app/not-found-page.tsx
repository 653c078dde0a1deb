import { useEffect } from 'react'
import { Link } from 'react-router'
import { PageFrame } from '../components/page-frame.tsx'
import { buttonClass } from '../components/ui/button.tsx'
import { useBrand } from '../lib/config.ts'

export function NotFoundPage() {
  const { brandName } = useBrand()
  useEffect(() => {
    document.title = `Page not found · ${brandName}`
  }, [brandName])
  return (
    <PageFrame>
      <div className="m-auto max-w-md p-6">
        <p className="font-mono text-sm font-medium text-ink-faint">404</p>
        <h1 className="my-2 text-2xl font-semibold tracking-[-0.022em]">Oops! Page not found</h1>
        <p className="mb-6 text-base text-balance text-ink-muted">The address may be outdated or mistyped.</p>
        <Link to="/" className={buttonClass({ variant: 'primary' })}>
          Return to Home
        </Link>
      </div>
    </PageFrame>
  )
}
