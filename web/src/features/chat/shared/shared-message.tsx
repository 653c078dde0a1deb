import { plural, t } from '@lingui/core/macro'
import type { SharedMessage as SharedMessageData } from '#shared/contracts/shares.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Logo } from '../../../components/ui/logo.tsx'
import { describeEnding } from '../describe-ending.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { SourceList } from '../reasoning/source-list.tsx'

const QueryTable = lazyComponent(
  () => import('../query/query-table.tsx'),
  'QueryTable',
  <div className="h-40" />,
)

interface MessageProps {
  message: SharedMessageData
  assistantName: string
}

/** A message of a shared conversation. Its files are not part of the copy and only counted. */
export const SharedMessage = ({ message, assistantName }: MessageProps) =>
  message.role === 'user' ? (
    <Question message={message} />
  ) : (
    <Reply message={message} assistantName={assistantName} />
  )

function OmittedFiles({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <p className="text-sm text-ink-faint">
      {plural(
        { count },
        { 1: 'A file is not part of the copy.', other: `# files are not part of the copy.` },
      )}
    </p>
  )
}

function Question({ message: { content, files } }: Pick<MessageProps, 'message'>) {
  return (
    <div className="flex flex-col items-end gap-2">
      <h2 className="sr-only">{t`Question`}</h2>
      {content !== '' && (
        <div
          dir="auto"
          translate="no"
          className="max-w-[min(36rem,85%)] rounded-lg rounded-br-xs mirrored:rounded-br-lg mirrored:rounded-bl-xs bg-accent-soft px-4 py-[11px] text-base forced-colors:border whitespace-pre-wrap wrap-anywhere [unicode-bidi:plaintext] max-sm:max-w-[88%]"
        >
          {content}
        </div>
      )}
      <OmittedFiles count={files} />
    </div>
  )
}

function Reply({ message, assistantName }: MessageProps) {
  const { content, files, sources, tables, ended } = message
  return (
    <div className="grid grid-cols-[28px_minmax(0,1fr)] gap-x-3 max-sm:grid-cols-1 max-sm:gap-y-2 print:block">
      <span
        aria-hidden
        className="-mt-px grid size-7 place-items-center rounded-full bg-accent-soft max-sm:size-6 print:hidden"
      >
        <Logo size={18} className="max-sm:size-4" />
      </span>
      <div className="grid grid-cols-1 gap-4 text-base">
        <h2 className="sr-only">{assistantName}</h2>
        {content !== '' && <Markdown text={content} isStreaming={false} />}
        {tables?.map(({ columns, rows, total_rows: total }, index) => (
          <QueryTable key={index} result={{ columns, rows, total, sql: '', sources: [] }} />
        ))}
        {sources && <SourceList sources={sources} />}
        <OmittedFiles count={files} />
        {ended && <p className="text-sm text-ink-muted">{describeEnding({ ended })}</p>}
      </div>
    </div>
  )
}
