import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import clsx from 'clsx'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Message, Session } from '#shared/contracts/messages.ts'
import { listShownResults, type TableResult } from '#shared/table-result.ts'
import { EagerDrawings } from '../../../components/drawing-frame.tsx'
import { QueryContent } from '../../../components/query-content.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { useAction } from '../../../components/use-action.ts'
import { useBrand } from '../../../lib/api/config.ts'
import { formatDateTime } from '../../../lib/text/dates.ts'
import { fileLinkQuery } from '../../../lib/api/file-links.ts'
import { formatConversationTitle } from '../../../lib/conversations/conversation-title.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { TextWithBold } from '../markdown/reply-text.tsx'
import { describeEnding } from '../describe-ending.ts'
import { SourceList } from '../reasoning/source-list.tsx'
import { describeTable } from '../query/describe-table.ts'
import { loadConversation } from './load-conversation.ts'

/** Shows a whole conversation as it will be printed, and prints it. While a dialog is open, the browser prints only the dialog. */
export function PrintDialog({
  conversation: { id, title: storedTitle },
  open,
  onClose,
  findFocusTarget,
}: {
  conversation: Session
  open: boolean
  onClose: () => void
  findFocusTarget: () => HTMLElement | null
}) {
  const title = formatConversationTitle(storedTitle)
  const query = useQuery({
    queryKey: ['printed-conversation', id],
    queryFn: ({ signal }) => loadConversation(id, signal),
    // messages may be added while the dialog is closed
    gcTime: 0,
    staleTime: Infinity,
  })
  const content = useRef<HTMLDivElement>(null)
  const print = async () => {
    const printed = content.current
    if (!printed) return
    // what is folded would not be printed
    for (const details of printed.querySelectorAll('details')) details.open = true
    await waitUntilDrawn(printed)
    // the dialog was closed meanwhile
    if (!printed.isConnected) return
    const before = document.title
    // browsers propose it as the name of the PDF
    document.title = title
    window.print()
    document.title = before
  }
  const printing = useAction(`print ${id}`, print, t`The conversation could not be printed`)
  return (
    <Dialog
      wide
      open={open}
      onOpenChange={onClose}
      findFocusTarget={findFocusTarget}
      title={title}
      description={
        <span className="print:hidden">{t`This is what is printed. To make a PDF, choose it as the printer.`}</span>
      }
      footer={
        <>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button
            variant="primary"
            disabled={!query.data}
            busy={printing.isBusy}
            onClick={() => printing.start()}
          >
            {t`Print`}
          </Button>
        </>
      }
    >
      <QueryContent
        query={query}
        label={t`Preparing the conversation…`}
        failure={t`The conversation could not be loaded.`}
      >
        {({ messages }) => (
          <div ref={content} className="grid gap-6 print:block">
            <EagerDrawings value={true}>
              {messages.map((message) => (
                <PrintedMessage key={message.id} message={message} />
              ))}
            </EagerDrawings>
          </div>
        )}
      </QueryContent>
    </Dialog>
  )
}

function PrintedMessage({ message }: { message: Message }) {
  const { assistantName } = useBrand()
  const { role, content, created_at, attachments, tool_calls, sources, ended, incomplete_reason } = message
  return (
    <section className="grid gap-3 print:mb-6 print:block print:*:mb-3">
      <h3 className="border-b border-line pb-1 text-sm font-medium text-ink-muted [break-after:avoid]">
        {role === 'user' ? t`You` : assistantName} · {formatDateTime(new Date(created_at))}
      </h3>
      {content !== '' &&
        (role === 'user' ? <TextWithBold text={content} /> : <Markdown text={content} isStreaming={false} />)}
      {listShownResults(tool_calls).map((result, index) => (
        <PrintedTable key={index} result={result} />
      ))}
      {attachments.map((file) => (
        <PrintedFile key={file.id} file={file} />
      ))}
      {sources && <SourceList sources={sources} />}
      {ended && <p className="text-sm text-ink-muted">{describeEnding({ ended, incomplete_reason })}</p>}
    </section>
  )
}

function PrintedFile({ file: { id, name, type } }: { file: Attachment }) {
  const isPicture = type.startsWith('image/')
  const { data, isLoading } = useQuery({ ...fileLinkQuery(id), enabled: isPicture })
  if (isPicture && data?.url !== undefined)
    return <img src={data.url} alt={name} className="max-h-[60vh] max-w-full" />
  return (
    <p dir="auto" className="text-sm text-ink-muted" data-undrawn={isLoading}>
      {name}
    </p>
  )
}

/** The result of a query as it is printed: all rows that are stored, in cells that wrap. */
function PrintedTable({ result }: { result: TableResult }) {
  const { columns, rows, caption } = describeTable(result)
  const getClass = (column: number) => clsx(columns[column]?.isNumeric && 'text-end')
  return (
    <figure className="prose" dir="auto">
      <table>
        <thead>
          <tr>
            {columns.map(({ name }, index) => (
              <th key={index} scope="col" className={getClass(index)}>
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((text, column) => (
                <td key={column} className={getClass(column)}>
                  <bdi>{text}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption className="text-sm text-ink-muted">{caption}</figcaption>
    </figure>
  )
}

/** A picture or a drawing that takes longer is printed as it is: its name, or its code. */
const maxWaitMs = 20_000
const checkEveryMs = 50

const isUndrawn = (content: HTMLElement) =>
  content.querySelector('[data-undrawn="true"]') !== null ||
  [...content.querySelectorAll('img')].some(({ complete }) => !complete)

/** Waits until all pictures, charts and diagrams of a content are there, are known to be missing, or take too long. */
async function waitUntilDrawn(content: HTMLElement): Promise<void> {
  const startedAtMs = performance.now()
  while (content.isConnected && isUndrawn(content) && performance.now() - startedAtMs < maxWaitMs)
    await new Promise((resolve) => setTimeout(resolve, checkEveryMs))
}
