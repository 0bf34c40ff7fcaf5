/** The fields that both forms for a reservation begin with: that of staff and that of guests. */
export const EMPTY_GUEST_VALUES = {
  firstName: '',
  lastName: '',
  gender: '',
  ageServiceId: '',
  phone: '',
  email: '',
  location: '',
  serviceIds: [] as string[],
  typeOfClientServiceId: '',
  paymentMethod: '',
  insuranceCompanyId: '',
  policyNumber: '',
  groupNumber: '',
  mediCalChoice: '',
};
