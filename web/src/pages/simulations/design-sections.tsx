import { useMutation, useQuery } from '@tanstack/react-query';
import { ModelInput } from '../../resources/providers/model-input.tsx';
import { testsetsQuery } from '../../resources/testsets/queries.ts';
import { Input, Select } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { PersonaRows, ScenarioRows } from './design-fields.tsx';
import { freshForm, listDesign, type SimulationForm } from './simulation-form.ts';

type DesignSectionsProps = {
  projectId: string;
  form: SimulationForm;
  set: (change: Partial<SimulationForm>) => void;
};

/** Personas, scenarios, and the model that plays the user. */
export const DesignSections = ({ projectId, form, set }: DesignSectionsProps) => {
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const designs = testsets.filter(({ fieldMapping: { inputs } }) =>
    ['persona', 'scenario'].every((field) => inputs.includes(field)),
  );
  const load = useMutation({
    mutationFn: async (testsetId: string) => ({ testsetId, ...(await listDesign(testsetId)) }),
    onSuccess: (design) => set(design),
  });
  return (
    <>
      {designs.length > 0 && (
        <div className="mb-4 max-w-96">
          <Select
            label="Personas and scenarios of"
            value={form.testsetId}
            onChange={(id) => (id ? load.mutate(id) : set({ ...freshForm, system: form.system }))}
            options={[
              { value: '', label: 'A new simulation' },
              ...designs.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          {load.error && <ErrorNote error={load.error} />}
        </div>
      )}
      <Section title="Personas">
        <PersonaRows items={form.personas} onChange={(personas) => set({ personas, testsetId: '' })} />
      </Section>
      <Section title="Scenarios">
        <ScenarioRows items={form.scenarios} onChange={(scenarios) => set({ scenarios, testsetId: '' })} />
      </Section>
      <Section title="User">
        <div className="grid gap-3 sm:grid-cols-2">
          <ModelInput
            label="User model"
            required
            value={form.userModel}
            onChange={(userModel) => set({ userModel, userVersionId: '' })}
            hint="Uses the prompt “Simulated user” (created on the first run)."
          />
          <Input
            label="Max turns"
            type="number"
            min={1}
            max={50}
            required
            value={form.maxTurns}
            onChange={(turns) => set({ maxTurns: Number(turns) })}
            hint="A conversation ends earlier when the user has reached the goal, or gives up."
          />
        </div>
      </Section>
    </>
  );
};
