"""The steps that a search goes by: who is asked to plan, and who to revise."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from redraft.editor import ADAPTER, edit_verdicts, is_trained_editor
from redraft.models import Models, Scorer, trust_of
from redraft.revision.asking.passages import PassageEditor
from redraft.revision.asking.planner import ModelPlanner, is_trained_planner
from redraft.revision.choosing.repair import Repair
from redraft.revision.corrections.accepting import Sifter
from redraft.revision.corrections.vetting import Vetting
from redraft.revision.draft import Draft
from redraft.revision.judging.scoring import Appraiser
from redraft.revision.judging.verdicts import Verdicts
from redraft.revision.records import Action
from redraft.revision.revision import ReviseOptions
from redraft.revision.search.search import Steps
from redraft.revision.showing.settling import Settling
from redraft.revision.strategies.editor_steps import EditorSteps
from redraft.revision.strategies.model_steps import ModelSteps
from redraft.revision.strategies.trusted import LimitedModel, RequestLimit, TrustedSteps
from redraft.revision.task import Task
from redraft.revision.wishes.understanding import SMALL


def open_steps(
    task: Task,
    options: ReviseOptions,
    models: Models,
    *,
    appraiser: Appraiser,
    repair: Repair,
    limit: RequestLimit,
    scorer: Scorer,
    verdicts: Verdicts,
    settling: Settling,
    rules: Callable[[], Awaitable[Mapping[str, str]]] | None = None,
) -> Steps[Draft]:
    """The steps of a search, by who revises: a model that is trusted, one that edits, or one that is told."""
    effort = options.effort_settings
    reviser, planner = models.for_role("reviser"), models.for_role("planner")
    spec = models.settings.spec_for("planner")
    brief = is_trained_planner(spec, models.settings.weights())
    edits = reviser.spec in SMALL or is_trained_editor(reviser.spec, models.settings.weights())
    if trust_of(reviser.spec, models.settings.trust) == "high":
        counted = LimitedModel(planner, limit)
        asked = ModelPlanner(counted, _no_plan, format=task.format, brief=brief)
        vetting = Vetting(scorer, models.tagger())
        passages = PassageEditor(
            task,
            verdicts,
            vetting,
            verdicts=edit_verdicts(models, reviser.spec),
            believed=verdicts.believe,
            rules=rules,
            told=settling.tell_changes,
            seed=options.seed,
        )
        return TrustedSteps(
            task,
            appraiser,
            repair,
            planner=None if spec in SMALL else asked,
            reviser=reviser,
            limit=limit,
            switches=options.switches,
            comments=options.effort == "high" and options.switches.feedback,
            user_plan=options.plan,
            passages=passages if edits else None,
            seed=options.seed,
        )
    if edits:
        # A model that is named for it is asked; the embedded one where there is time for it, and more to
        # do than to keep bounds: what these call for the rules know, and no other sentence is touched.
        named = spec not in SMALL and spec != reviser.spec
        plans = named or (brief and effort.limits.iterations > 1 and not task.is_bounds_alone)
        return EditorSteps(
            task,
            appraiser,
            repair,
            reviser,
            share=effort.share,
            samples=effort.samples,
            switches=options.switches,
            settling=settling,
            verdicts=verdicts,
            sifter=open_sifter(scorer, models, verdicts) if reviser.spec == "embedded" else None,
            planner=ModelPlanner(planner, _no_plan, format=task.format, brief=brief) if plans else None,
            user_plan=options.plan,
            seed=options.seed,
        )
    return ModelSteps(
        task,
        appraiser,
        repair,
        planner=planner,
        reviser=reviser,
        switches=options.switches,
        comments=effort.limits.iterations > 1,
        brief=brief,
        user_plan=options.plan,
        seed=options.seed,
    )


def open_sifter(scorer: Scorer, models: Models, verdicts: Verdicts) -> Sifter | None:
    """What takes or leaves the edits of the embedded editor."""
    return Sifter(scorer, models.answer_scorer(ADAPTER), verdicts, models.tagger())


def _no_plan(text: str) -> Action:
    """A planner of which nothing can be used says nothing: the rules have planned already."""
    return Action("", (), ())
