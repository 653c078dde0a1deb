import { byteOrderMark } from '#shared/format-csv.ts'
import { detectForm } from '#shared/scan-csv.ts'
import { findTitle } from './describe-block-content.ts'
import type { PreviewVersion } from './find-versions.ts'
import type { PreviewKind } from '../preview-context.ts'
import { sanitizeCsv } from '../../../lib/browser/read-table.ts'
import { withNamespace } from './svg-document.ts'
import { toFileName } from '../../../lib/browser/file-name.ts'

/** The name of each kind of preview. */
export const kindNames: Readonly<Record<PreviewKind, string>> = {
  html: 'HTML',
  svg: 'SVG',
  mermaid: 'Mermaid',
  'vega-lite': 'Vega-Lite',
  csv: 'CSV',
  markdown: 'Markdown',
}

const fileTypes: Record<PreviewKind, { extension: string; type: string }> = {
  html: { extension: 'html', type: 'text/html' },
  svg: { extension: 'svg', type: 'image/svg+xml' },
  mermaid: { extension: 'mmd', type: 'text/plain' },
  'vega-lite': { extension: 'json', type: 'application/json' },
  csv: { extension: 'csv', type: 'text/csv' },
  markdown: { extension: 'md', type: 'text/markdown' },
}

/** The title of a version: that of its content, otherwise the name of its file; undefined without both. */
export const getTitle = ({ kind, content, filename }: PreviewVersion): string | undefined =>
  findTitle(kind, content) ?? filename

const tabSeparated = { extension: 'tsv', type: 'text/tab-separated-values' }

/** Creates the file that a version is downloaded as. CSV has no formulas that a spreadsheet would run. */
export function toFile(version: PreviewVersion): { name: string; blob: Blob } {
  const { kind, content, filename } = version
  const hasTabs = kind === 'csv' && detectForm(content).separator === '\t'
  const { extension, type } = hasTabs ? tabSeparated : fileTypes[kind]
  const title = findTitle(kind, content) ?? filename?.replace(/\.[^.]+$/, '')
  return {
    name: `${toFileName(title ?? '') ?? 'preview'}.${extension}`,
    blob: new Blob([toFileContent(kind, content)], { type }),
  }
}

function toFileContent(kind: PreviewKind, content: string): string {
  if (kind === 'csv') return byteOrderMark + sanitizeCsv(content)
  return kind === 'svg' ? withNamespace(content) : content
}
