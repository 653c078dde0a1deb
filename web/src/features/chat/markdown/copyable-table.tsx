import { t } from '@lingui/core/macro'
import { Check, Copy } from 'lucide-react'
import { useRef, type ReactNode, type RefObject } from 'react'
import { useCopy } from '../../../components/ui/use-copy.ts'
import { ScrollRegion } from '../../../components/scroll-region.tsx'
import { formatTableAsCsv, formatTableAsMarkdown } from './serialize-dom.ts'

/** A table with buttons to copy it as CSV and as Markdown. It scrolls horizontally if it is wider than its container. */
export function CopyableTable({ children }: { children: ReactNode }) {
  const table = useRef<HTMLTableElement>(null)
  return (
    <div>
      <ScrollRegion label={t`Table`}>
        <table ref={table} dir="auto">
          {children}
        </table>
      </ScrollRegion>
      <div data-not-copied="" className="mt-2 -ms-1.5 flex gap-1 max-sm:-ms-2.5 print:hidden">
        <CopyTableButton
          table={table}
          name={t`CSV`}
          label={t`Copy table as CSV`}
          copiedLabel={t`Copied as CSV`}
          format={formatTableAsCsv}
        />
        <CopyTableButton
          table={table}
          name={t`Markdown`}
          label={t`Copy table as Markdown`}
          copiedLabel={t`Copied as Markdown`}
          format={(shown) => ({ text: formatTableAsMarkdown(shown) })}
        />
      </div>
    </div>
  )
}

function CopyTableButton({
  table,
  name,
  label,
  copiedLabel,
  format,
}: {
  table: RefObject<HTMLTableElement | null>
  name: string
  label: string
  copiedLabel: string
  format: (table: HTMLTableElement) => { text: string; html?: string }
}) {
  const { copied, copy } = useCopy()
  const Icon = copied ? Check : Copy
  const copyTable = () => {
    if (!table.current) return
    const { text, html } = format(table.current)
    void copy(text, html)
  }
  return (
    <button
      type="button"
      aria-label={copied ? copiedLabel : label}
      className="flex h-7 items-center gap-1.5 rounded-chip px-1.5 text-xs text-ink-faint transition-colors duration-(--duration-fast) hover:bg-surface-hover hover:text-ink max-sm:h-9 max-sm:px-2.5"
      onClick={copyTable}
    >
      <Icon size={14} className={copied ? 'text-success' : undefined} aria-hidden />
      {name}
    </button>
  )
}
