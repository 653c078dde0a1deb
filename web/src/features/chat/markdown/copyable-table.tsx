import { Check, Copy } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { useCopy } from '../../../components/use-copy.ts'
import { ScrollRegion } from './scroll-region.tsx'
import { tableAsCsv, tableAsMarkdown } from './table-text.ts'
import * as texts from './texts.ts'

/** A table, which scrolls inside itself where it is wider than the column, and can be copied. */
export function CopyableTable({ children }: { children: ReactNode }) {
  const table = useRef<HTMLTableElement>(null)
  const read = (asText: (table: HTMLTableElement) => string) => () =>
    table.current ? asText(table.current) : ''
  return (
    <div>
      <ScrollRegion label={texts.table}>
        <table ref={table}>{children}</table>
      </ScrollRegion>
      <div className="mt-2 -ml-1.5 flex gap-1 print:hidden">
        <CopyTable
          format={texts.csv}
          label={texts.copyCsv}
          copiedLabel={texts.csvCopied}
          read={read(tableAsCsv)}
        />
        <CopyTable
          format={texts.markdown}
          label={texts.copyMarkdown}
          copiedLabel={texts.markdownCopied}
          read={read(tableAsMarkdown)}
        />
      </div>
    </div>
  )
}

function CopyTable({
  format,
  label,
  copiedLabel,
  read,
}: {
  format: string
  label: string
  copiedLabel: string
  read: () => string
}) {
  const { copied, copy } = useCopy()
  const Icon = copied ? Check : Copy
  return (
    <button
      type="button"
      aria-label={copied ? copiedLabel : label}
      className="flex h-7 items-center gap-1.5 rounded-[6px] px-1.5 text-xs text-ink-faint transition-colors duration-(--duration-fast) hover:bg-surface-hover hover:text-ink max-sm:h-9 max-sm:px-2.5"
      onClick={() => void copy(read())}
    >
      <Icon size={14} className={copied ? 'text-success' : undefined} aria-hidden />
      {format}
    </button>
  )
}
