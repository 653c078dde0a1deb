import { replyNotices } from '#shared/chat-texts.ts'
import type { ReplyNotice } from '#shared/contracts/chat.ts'
import { isModelAllowed, type ModelLimits } from '#shared/model-limits.ts'
import type { ListedModel } from '#shared/models.ts'
import { EffortNotAvailable, ModelNotAllowed, ModelNotAvailable } from './errors.ts'
import { limitContext } from './prompt/context-limits.ts'
import type { Model } from '../models/model.ts'

/** A model that is known to see no images: it is not sent any, and the reply says so. */
const seeingNothing = (model: Model): Model => ({
  takesPdfs: () => false,
  async complete(call) {
    const { withoutVision } = await import('../models/omit-images.ts')
    return withoutVision(model).complete(call)
  },
})

/** The model that writes a reply, and how much it reasons; without an effort the model's server decides. */
export interface ModelChoice {
  model: ListedModel
  effort: string | undefined
  /** says that the conversation's model is no longer offered, and another one replies */
  notice?: ReplyNotice
}

/** A model and an effort by name, as a request, a conversation or a run has them. */
export interface ChosenModel {
  model?: string | undefined
  effort?: string | undefined
}

interface ModelListOptions {
  models: readonly ListedModel[]
  /** id of the model that replies if no other was chosen */
  defaultId: string
  /** called once for each model that is used */
  open: (model: ListedModel) => Model
}

/** The models that one user may choose from. */
export type ModelList = ReturnType<typeof listModelsFor>

const getName = ({ id, name = id }: ListedModel) => name

/**
 * Chooses models for one user.
 * @param models of the deployment
 * @param allowed those of them that the user may choose
 */
function listModelsFor(
  models: readonly ListedModel[],
  allowed: readonly ListedModel[],
  { defaultId, open }: { defaultId: string; open: (model: ListedModel) => Model },
) {
  const find = (id: string | undefined) => allowed.find((model) => model.id === id)
  const first = find(defaultId) ?? allowed[0]

  /** What was chosen earlier, as far as it is still offered. @throws ModelNotAllowed when nothing is */
  function resume({ model: id, effort }: ChosenModel): ModelChoice {
    if (!first) throw new ModelNotAllowed('any model', [])
    return resumeFrom(first, { model: id, effort })
  }

  function resumeFrom(
    defaultModel: ListedModel,
    { model: id = defaultModel.id, effort }: ChosenModel,
  ): ModelChoice {
    const model = find(id)
    if (!model && id !== defaultModel.id)
      return { model: defaultModel, effort: undefined, notice: replyNotices.model }
    const { efforts = [] } = model ?? defaultModel
    return {
      model: model ?? defaultModel,
      effort: effort !== undefined && efforts.includes(effort) ? effort : undefined,
    }
  }

  return {
    /**
     * Chooses the model of a reply: the request's, else what the conversation used last, else the default.
     * @throws ModelNotAvailable, EffortNotAvailable when the request names one that is not listed; ModelNotAllowed when it names one that
     *   the user may not choose
     */
    choose(requested: ChosenModel, remembered: ChosenModel): ModelChoice {
      const named = models.find((model) => model.id === requested.model)
      if (named && !find(named.id)) throw new ModelNotAllowed(getName(named), allowed.map(getName))
      const isOther = requested.model !== undefined && requested.model !== remembered.model
      const choice = resume({
        model: requested.model ?? remembered.model,
        effort: requested.effort ?? (isOther ? undefined : remembered.effort),
      })
      if (requested.model !== undefined && choice.model.id !== requested.model)
        throw new ModelNotAvailable('the request names a model that is not listed')
      if (requested.effort !== undefined && choice.effort !== requested.effort)
        throw new EffortNotAvailable(`the model ${choice.model.id} does not have the effort of the request`)
      return choice
    },

    resume,

    open,

    allowed,

    /** how much of a conversation is read before its model is known */
    historyLimits: models
      .map((model) => limitContext(model))
      .reduce(
        (largest, limits) => (limits.maxCharacters > largest.maxCharacters ? limits : largest),
        limitContext(first ?? { id: defaultId }),
      ),
  }
}

/** Lists the models of a deployment, opens each once, and chooses among those that a user may use. */
export function createModelList({ models: listed, defaultId, open }: ModelListOptions) {
  const defaultModel = listed.find((model) => model.id === defaultId) ?? { id: defaultId }
  const models = listed.includes(defaultModel) ? listed : [...listed, defaultModel]
  const opened = new Map<string, Model>()

  function openOnce(model: ListedModel): Model {
    let known = opened.get(model.id)
    if (!known) {
      known = model.vision === false ? seeingNothing(open(model)) : open(model)
      opened.set(model.id, known)
    }
    return known
  }

  const listFor = (allowed: readonly ListedModel[], preferredId?: string) =>
    listModelsFor(models, allowed, { defaultId: findDefault(preferredId).id, open: openOnce })

  /** @param preferredId what an administrator has set; one that is not offered any more does not count */
  const findDefault = (preferredId: string | undefined): ListedModel =>
    models.find(({ id }) => id === preferredId) ?? defaultModel

  return {
    ...listFor(models),
    defaultModel,
    findDefault,

    /** all of the deployment */
    models,

    /** The models that the limits of a user allow. @param preferredId as `findDefault` */
    restrictTo: (limits: ModelLimits, preferredId?: string): ModelList =>
      listFor(
        models.filter((model) => isModelAllowed(model, limits)),
        preferredId,
      ),
  }
}
