import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ArrowLeft } from 'lucide-react'
import { SiteBar } from './site-bar.tsx'
import { DocumentFlag } from './ui/document-flag.tsx'
import { IconButton } from './ui/icon-button.tsx'

/** The header of a secondary page: back button, title and subtitle. */
export function PageHeader({
  title,
  subtitle,
  onBack,
  wide = false,
}: {
  title: string
  subtitle: string | undefined
  onBack: () => void
  /** as wide as a page with the links to its sections */
  wide?: boolean
}) {
  return (
    <>
      <SiteBar />
      <DocumentFlag name="header" />
      <header className="sticky top-0 z-(--z-topbar) border-b border-line bg-surface">
        <div
          className={clsx(
            'mx-auto flex min-h-18 items-center gap-3 px-6 py-3 max-sm:min-h-15 max-sm:gap-1 max-sm:px-4 max-sm:py-2',
            wide ? 'max-w-[calc(var(--width-sections)+3rem)]' : 'max-w-[calc(var(--width-settings)+3rem)]',
          )}
        >
          <IconButton
            label={t`Back`}
            icon={<ArrowLeft size={20} strokeWidth={1.75} />}
            onClick={onBack}
            className="-ms-2 max-sm:-ms-3"
          />
          <div className="min-w-0 flex-1">
            <h1 className="truncate text-lg/6 font-semibold tracking-tight" dir="auto" title={title}>
              {title}
            </h1>
            {subtitle !== undefined && <p className="text-sm text-ink-muted">{subtitle}</p>}
          </div>
        </div>
      </header>
    </>
  )
}
