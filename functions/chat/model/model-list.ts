import { replyNotices } from '#shared/chat-texts.ts'
import type { ReplyNotice } from '#shared/contracts/chat.ts'
import type { ListedModel } from '#shared/models.ts'
import { EffortNotAvailable, ModelNotAvailable } from '../errors.ts'
import { limitContext } from '../prompt/context-limits.ts'
import type { Model } from './model.ts'
import { withoutVision } from './omit-images.ts'

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
  /** id of the model that replies where no other was chosen */
  defaultId: string
  /** called once for each model that is used */
  open: (model: ListedModel) => Model
}

export type ModelList = ReturnType<typeof createModelList>

/** The models of a deployment. */
export function createModelList({ models, defaultId, open }: ModelListOptions) {
  const find = (id: string | undefined) => models.find((model) => model.id === id)
  const defaultModel = find(defaultId) ?? { id: defaultId }
  const opened = new Map<string, Model>()

  /** What was chosen earlier, as far as it is still offered. */
  function resume({ model: id = defaultModel.id, effort }: ChosenModel): ModelChoice {
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
     * @throws ModelNotAvailable, EffortNotAvailable when the request names one that is not listed
     */
    choose(requested: ChosenModel, remembered: ChosenModel): ModelChoice {
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

    open(model: ListedModel): Model {
      let known = opened.get(model.id)
      if (!known) {
        known = model.vision === false ? withoutVision(open(model)) : open(model)
        opened.set(model.id, known)
      }
      return known
    },

    defaultModel,

    /** how much of a conversation is read before its model is known */
    historyLimits: models
      .map(limitContext)
      .reduce(
        (largest, limits) => (limits.maxCharacters > largest.maxCharacters ? limits : largest),
        limitContext(defaultModel),
      ),
  }
}
