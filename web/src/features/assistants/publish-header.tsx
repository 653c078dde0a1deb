import { plural, t } from '@lingui/core/macro'
import { ArrowLeft } from 'lucide-react'
import { Link } from '../../lib/navigation/router.tsx'
import type { Assistant } from '#shared/contracts/assistants.ts'
import type { Project } from '#shared/contracts/projects.ts'
import { buttonClass } from '../../components/ui/button.tsx'
import { formatDate } from '../../lib/text/dates.ts'
import { WithdrawButton } from './withdraw-button.tsx'
import { projectPath } from '../../lib/navigation/paths.ts'

const describeUses = (count: number) => plural(count, { one: 'used # time', other: `used # times` })

const describeVersion = ({ version, published_at, uses = 0 }: Assistant) =>
  t`version ${{ version }} since ${{ day: formatDate(new Date(published_at)) }}, ${{ usage: describeUses(uses) }}`

/** The heading of the page on which a project is published. @param before the version that is published now */
export function PublishHeader({ project, before }: { project: Project; before: Assistant | undefined }) {
  return (
    <header className="mb-5 flex min-h-11 items-center gap-3">
      <Link
        to={projectPath(project.id)}
        aria-label={t`Back to ${{ projectName: project.name }}`}
        className={buttonClass({ variant: 'ghost', size: 'icon', className: '-ms-2 shrink-0' })}
      >
        <ArrowLeft aria-hidden size={20} strokeWidth={1.75} className="mirrored:-scale-x-100" />
      </Link>
      <div className="min-w-0 flex-1">
        <h1 className="text-lg/6 font-semibold tracking-tight">{t`Publish`}</h1>
        <p className="truncate text-sm text-ink-muted">
          {t`From the project ${{ projectName: project.name }}`}
          {before && <span className="max-sm:hidden"> · {describeVersion(before)}</span>}
        </p>
      </div>
      {before && <WithdrawButton assistant={before} projectId={project.id} />}
    </header>
  )
}
