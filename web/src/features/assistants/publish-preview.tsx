import { plural, t } from '@lingui/core/macro'
import { Cpu, FileText, ListTree, Lock, MessageSquareText, Plug, type LucideIcon } from 'lucide-react'
import type { Project } from '#shared/contracts/projects.ts'
import { NameTile } from '../../components/name-tile.tsx'
import { Card } from '../../components/ui/card.tsx'
import { useConfig } from '../../lib/api/config.ts'
import { formatList } from '../../lib/text/locale.ts'
import { listTextFiles, type PublishForm } from './publish-form.ts'

const describeFiles = (count: number) =>
  plural(count, { one: 'The text of # file.', other: `The text of # files.` })
const describeLeftOut = (count: number) =>
  plural(count, {
    one: '# file is left out because it has no text.',
    other: `# files are left out because they have no text.`,
  })
const describePrompts = (count: number) =>
  plural(count, {
    one: '# saved prompt of the project.',
    other: `# saved prompts of the project.`,
  })
const describeInstructions = (count: number) =>
  plural(count, {
    one: 'Your instructions, # character. They are not shown, but a model may tell them.',
    other: `Your instructions, # characters. They are not shown, but a model may tell them.`,
  })

/**
 * Previews an assistant before it is published: its card as others will see it, and a list of what else is published, such as files
 * and instructions.
 */
export function PublishPreview({
  form: { name, description, starters },
  picture,
  project,
  version,
  toolNames,
  promptCount,
}: {
  form: PublishForm
  /** its address; undefined: letters */
  picture: string | undefined
  project: Project
  version: number
  /** of what the publisher has connected and not turned off in the project; undefined while that is not known */
  toolNames: readonly string[] | undefined
  /** saved prompts of the project */
  promptCount: number
}) {
  const models = useConfig()?.models ?? []
  const fileCount = listTextFiles(project).length
  const leftOut = project.files.length - fileCount
  const isReading = project.files.some(({ reading }) => reading?.state === 'pending')
  const modelName = models.find(({ id }) => id === project.model)?.name ?? project.model
  const visibleStarters = starters.filter((text) => text.trim() !== '')
  return (
    <aside aria-label={t`Preview`} className="grid gap-3">
      <h2 className="text-sm font-medium text-ink-muted">{t`What others will get`}</h2>
      <Card className="p-5">
        <NameTile name={name} picture={picture} />
        <h3 className="mt-2.5 text-base/6 font-semibold wrap-anywhere" dir="auto">
          {name}
        </h3>
        {description !== '' && (
          <p className="wrap-anywhere text-ink-muted" dir="auto">
            {description}
          </p>
        )}
        <p className="mt-1.5 text-xs text-ink-faint">{t`By you · version ${{ version }}`}</p>
        {visibleStarters.length > 0 && (
          <ul className="mt-3 flex flex-wrap gap-2">
            {visibleStarters.map((text, index) => (
              <li
                key={index}
                dir="auto"
                className="max-w-full rounded-md px-3 py-1.5 text-sm wrap-anywhere text-ink-muted hairline"
              >
                {text}
              </li>
            ))}
          </ul>
        )}
      </Card>
      <ul className="grid gap-2 text-sm text-ink-muted">
        <Fact Icon={ListTree}>
          {project.instructions === ''
            ? t`No instructions.`
            : describeInstructions(project.instructions.length)}
        </Fact>
        <Fact Icon={FileText}>
          {[
            fileCount === 0 ? t`No text of files.` : describeFiles(fileCount),
            ...(leftOut > 0 ? [describeLeftOut(leftOut)] : []),
            ...(isReading ? [t`Some are still being read.`] : []),
          ].join(' ')}
        </Fact>
        {promptCount > 0 && <Fact Icon={MessageSquareText}>{describePrompts(promptCount)}</Fact>}
        <Fact Icon={Cpu}>
          {modelName === undefined
            ? t`Answers with the model that each person has.`
            : t`Answers with ${{ model: modelName }}, unless somebody chooses another model.`}
        </Fact>
        {toolNames && (
          <Fact Icon={Plug}>
            {toolNames.length === 0
              ? t`Offers no connected tools.`
              : t`Offers ${{ names: formatList(toolNames) }}; each person connects their own.`}
          </Fact>
        )}
        <Fact Icon={Lock}>{t`Not your conversations, and nobody sees theirs.`}</Fact>
      </ul>
    </aside>
  )
}

const Fact = ({ Icon, children }: { Icon: LucideIcon; children: string }) => (
  <li className="flex gap-2.5">
    <Icon aria-hidden size={16} className="mt-0.5 shrink-0 text-ink-faint" />
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </li>
)
