import { t } from '@lingui/core/macro'
import type { ExtraProps } from 'hast-util-to-jsx-runtime'
import type { Nodes as HastNodes } from 'hast'
import { use, type ComponentProps, type ReactNode } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import { useFileDownload } from '../../../components/use-file-download.ts'
import { LinkNote } from './link-note.tsx'
import { findHiddenTarget } from './link-target.ts'
import { findSandboxFile, isSafeLink } from './markdown-safety.ts'
import { ReplyFilesContext } from './reply-files-context.ts'

function readText(node: HastNodes): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(readText).join('') : ''
}

/** A link of a text: to a web page, an e-mail address or phone number, a footnote or a file of the reply. Any other is shown as text. */
export function TextLink({ href, children, node, ...rest }: ComponentProps<'a'> & ExtraProps) {
  if ('data-footnote-ref' in rest) return <FootnoteLink {...{ href, id: rest.id, children }} />
  if ('data-footnote-backref' in rest)
    return (
      <FootnoteLink href={href} label={t`Back to the text`}>
        {children}
      </FootnoteLink>
    )
  const fileName = findSandboxFile(href)
  if (fileName !== undefined) return <FileLink name={fileName}>{children}</FileLink>
  if (!isSafeLink(href)) return <>{children}</>
  const target = findHiddenTarget(href, node ? readText(node) : '')
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer" className="link">
        {children}
      </a>
      {target !== undefined && <LinkNote isInSentence>{target}</LinkNote>}
    </>
  )
}

/** A link between a footnote and its number. The address of the page does not change, because it names the conversation. */
function FootnoteLink({
  href,
  id,
  label,
  children,
}: {
  href: string | undefined
  id?: string | undefined
  /** the accessible name of the link back to the text, which is not copied and not printed */
  label?: string
  children: ReactNode
}) {
  return (
    <a
      href={href}
      id={id}
      aria-label={label}
      data-not-copied={label === undefined ? undefined : ''}
      className={label === undefined ? 'link' : 'link print:hidden'}
      onClick={(event) => {
        event.preventDefault()
        const target = document.getElementById((href ?? '').slice(1))
        target?.scrollIntoView({ block: 'nearest' })
        target?.focus({ preventScroll: true })
      }}
    >
      {children}
    </a>
  )
}

/** A link to a file of the reply, by its name. Says so if there is no such file. */
function FileLink({ name, children }: { name: string; children: ReactNode }) {
  const file = use(ReplyFilesContext).find((each) => each.name === name && each.isDeleted !== true)
  if (file) return <DownloadButton file={file}>{children}</DownloadButton>
  return (
    <>
      {children}
      <LinkNote isInSentence>({t`not available here`})</LinkNote>
    </>
  )
}

function DownloadButton({ file, children }: { file: Attachment; children: ReactNode }) {
  const download = useFileDownload()
  return (
    <button type="button" className="link" onClick={() => void download(file)}>
      {children}
    </button>
  )
}
