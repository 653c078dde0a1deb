import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { CopyValue } from './copy-value.tsx'
import type { SetupStep } from './setup-guides.ts'

interface SetupStepsProps {
  steps: readonly SetupStep[]
  /** what is created at the provider, see `SetupGuide` */
  appType: string | undefined
  /** the step shown on a phone; wide screens show all */
  currentStep: number
  onBack: () => void
  /** the fields of the step that has them */
  fields: ReactNode
}

/** The numbered steps; on a phone one at a time, with a progress bar. */
export function SetupSteps({ steps, appType, currentStep, onBack, fields }: SetupStepsProps) {
  return (
    <section aria-label={t`Setup Steps`}>
      <div className="mb-3 flex flex-wrap gap-x-3 text-sm text-ink-faint max-sm:hidden">
        <h3 className="font-medium">{t`Setup Steps`}</h3>
        {appType && <p>{appType}</p>}
      </div>
      <div className="mb-4 grid grid-cols-[1fr_auto] items-center gap-2 text-sm text-ink-muted sm:hidden">
        <span role="status">{t`Step ${{ step: currentStep + 1 }} of ${{ count: steps.length }}`}</span>
        <Button
          variant="ghost"
          size="sm"
          className={clsx('-me-3', currentStep === 0 && 'invisible')}
          onClick={onBack}
        >
          {t`Back`}
        </Button>
        <span aria-hidden className="col-span-full grid auto-cols-fr grid-flow-col gap-1">
          {steps.map((_step, index) => (
            <span
              key={index}
              className={clsx('h-1 rounded-full', index <= currentStep ? 'bg-accent' : 'bg-surface-pressed')}
            />
          ))}
        </span>
      </div>
      <ol className="grid">
        {steps.map((step, index) => (
          <li
            // registries may name a step twice
            key={index}
            className={clsx(
              'relative grid grid-cols-[24px_minmax(0,1fr)] gap-x-3 pb-5 last:pb-0 max-sm:grid-cols-1 max-sm:pb-0',
              'not-last:before:absolute not-last:before:top-7.5 not-last:before:bottom-1.5 not-last:before:start-[11.5px] not-last:before:w-px not-last:before:bg-line max-sm:before:hidden',
              index !== currentStep && 'max-sm:hidden',
            )}
          >
            <span
              aria-hidden
              className={clsx(
                'grid size-6 place-items-center rounded-full text-xs font-semibold max-sm:hidden',
                step.hasFields ? 'bg-accent text-on-accent' : 'bg-surface-hover text-ink-muted',
              )}
            >
              {index + 1}
            </span>
            <StepContent step={step} fields={fields} />
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The text of a step, with its link, its value to copy and its fields. */
function StepContent({ step, fields }: { step: SetupStep; fields: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="leading-6 font-medium wrap-anywhere max-sm:text-base">{step.text}</p>
      <p className="max-w-[62ch] wrap-anywhere text-ink-muted">
        {step.description}{' '}
        {step.link && (
          <a
            href={step.link.url}
            target="_blank"
            rel="noopener noreferrer"
            className="link inline-flex items-center gap-1 font-medium"
          >
            {step.link.label}
            <ExternalLink aria-hidden size={16} />
          </a>
        )}
      </p>
      {step.copy && (
        <div className="mt-2 flex min-h-10 items-center gap-2 rounded-md bg-surface-sunken pe-1 ps-3 font-mono text-sm hairline">
          <span className="min-w-0 flex-1 truncate" title={step.copy.value}>
            {step.copy.value}
          </span>
          <CopyValue {...step.copy} />
        </div>
      )}
      {step.hasFields && <div className="mt-2.5 grid gap-4">{fields}</div>}
    </div>
  )
}
