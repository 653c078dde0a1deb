import { Suspense, type ComponentType } from 'react'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { loadMarkdown } from './load-markdown.ts'
import { TextWithBold } from './reply-text.tsx'
import { splitFences } from './split-fences.ts'

/** Code as it was sent. If it cannot be loaded, the text stays as it was typed. */
const SourceCode = lazyComponent(
  async (): Promise<{ SourceCode: ComponentType<{ code: string; language: string }> }> =>
    loadMarkdown().catch(() => ({ SourceCode: PlainCode })),
  'SourceCode',
)

/** The text of a user message: plain, but for bold parts and blocks of code. */
export function UserText({ text }: { text: string }) {
  return splitFences(text).map(({ text: part, language: name }, index) =>
    name === undefined ? (
      <TextWithBold key={index} text={part} />
    ) : (
      <div key={index} className="my-2 text-start first:mt-1 last:mb-1">
        <Suspense fallback={<PlainCode code={part} />}>
          <SourceCode code={part} language={name} />
        </Suspense>
      </div>
    ),
  )
}

const PlainCode = ({ code }: { code: string }) => (
  <pre dir="ltr" className="overflow-x-auto font-mono text-sm">
    {code}
  </pre>
)
