import { Type } from 'typebox';
import { named } from '../../platform/named-schema.ts';

const assigneeUserId = Type.String({ description: 'Id of the user who should look at the record.' });

export const RecordAssignment = named(
  'RecordAssignment',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the assignment.' }),
      recordId: Type.String({ description: 'Id of the record.' }),
      assigneeUserId,
      assignedByUserId: Type.String({ description: 'The user who assigned it.' }),
      createdAt: Type.String({ description: 'When it was assigned.' }),
    },
    { description: 'A record assigned to a user.' },
  ),
);

export const AssigneeCreate = Type.Object({ assigneeUserId });

export const AssigneesDeleted = Type.Object({
  deleted: Type.Number({ description: 'Number of assignments removed, 0 or 1.' }),
});
